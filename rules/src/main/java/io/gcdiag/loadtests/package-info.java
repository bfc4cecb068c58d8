/** Load tests against each other, against targets, and against metrics that move with them. */
package io.gcdiag.loadtests;
