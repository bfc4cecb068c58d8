/**
 * The JDK's own reader of recordings ({@code jdk.jfr.consumer}): slower than ours and the reference
 * that ours is held against.
 */
package io.gcdiag.ingest.jfr.api;
