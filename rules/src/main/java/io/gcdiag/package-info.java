/** The library's front door: files in, diagnosis out. */
package io.gcdiag;
