/** The machine and the container: cores, memory, quota, other processes. */
package io.gcdiag.evidence.machine;
