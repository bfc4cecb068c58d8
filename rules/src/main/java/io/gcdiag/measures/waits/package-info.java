/** Which recorded and dumped waits delay users' requests, by effect. */
package io.gcdiag.measures.waits;
