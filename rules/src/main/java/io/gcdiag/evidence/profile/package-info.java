/** Code that samplers saw executing, and what it threw. */
package io.gcdiag.evidence.profile;
