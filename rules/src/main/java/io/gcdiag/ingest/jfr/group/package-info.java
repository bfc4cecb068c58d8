/** What all groups of recorded events share: settings in force, stacks. */
package io.gcdiag.ingest.jfr.group;
