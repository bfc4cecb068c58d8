/**
 * Events as their readers hand them on: fields by name, whatever of them a recording has. What is
 * done with an event is written once, for every reader.
 */
package io.gcdiag.ingest.jfr.event;
