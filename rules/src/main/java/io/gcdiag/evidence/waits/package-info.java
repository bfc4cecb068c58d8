/** What threads waited for, by kind and site, over time; holds of pools and locks. */
package io.gcdiag.evidence.waits;
