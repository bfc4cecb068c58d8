/** What recorded events mean, by subject: stops, heap, machine, profiles, waits. */
package io.gcdiag.read.jfr.events;
