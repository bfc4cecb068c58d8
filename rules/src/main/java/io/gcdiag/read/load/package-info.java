/** Load tests: what their tools report of each request, each interval or the whole run. */
package io.gcdiag.read.load;
