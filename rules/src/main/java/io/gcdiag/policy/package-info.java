/**
 * What is a decision of this program and neither a fact of the JVM nor a result of measurement: how
 * much of something is worth a verdict, a line or a word.
 */
package io.gcdiag.policy;
