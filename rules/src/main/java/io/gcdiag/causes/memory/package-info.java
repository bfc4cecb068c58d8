/**
 * Memory: which collections, what caused them, what each cause adds to the stopped time; heap,
 * class metadata, direct buffers, swap and the container's limit.
 */
package io.gcdiag.causes.memory;
