/** Which files belong together as a case, and the analysis of one case into a row. */
package io.gcdiag.fleet.cases;
