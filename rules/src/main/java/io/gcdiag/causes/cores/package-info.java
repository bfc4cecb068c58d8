/** CPU: who fills the cores, and what waits for them. */
package io.gcdiag.causes.cores;
