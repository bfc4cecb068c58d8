/**
 * The diagnosis library. {@link io.gcdiag.Analysis} is its way in; the other packages that are
 * exported are those of the types that it takes and returns, and a test holds that they are no
 * more.
 */
@SuppressWarnings("requires-automatic") // commons-math3 has no module name of its own
module io.gcdiag {
  requires com.fasterxml.jackson.core;
  requires com.fasterxml.jackson.databind;
  requires com.fasterxml.jackson.dataformat.csv;
  requires com.microsoft.gctoolkit.api;
  requires com.microsoft.gctoolkit.parser;
  requires commons.math3;
  requires java.logging;
  requires java.xml;
  requires jdk.jfr;

  exports io.gcdiag;
  exports io.gcdiag.accounts.pool;
  exports io.gcdiag.advice;
  exports io.gcdiag.books;
  exports io.gcdiag.causes;
  exports io.gcdiag.comparison;
  exports io.gcdiag.correlation;
  exports io.gcdiag.diagnosis;
  exports io.gcdiag.evidence;
  exports io.gcdiag.evidence.heap;
  exports io.gcdiag.evidence.jvm;
  exports io.gcdiag.evidence.machine;
  exports io.gcdiag.evidence.pauses;
  exports io.gcdiag.evidence.profile;
  exports io.gcdiag.evidence.requests;
  exports io.gcdiag.evidence.source;
  exports io.gcdiag.evidence.threads;
  exports io.gcdiag.evidence.time;
  exports io.gcdiag.evidence.waits;
  exports io.gcdiag.figures;
  exports io.gcdiag.fleet;
  exports io.gcdiag.fleet.cases;
  exports io.gcdiag.ingest.format;
  exports io.gcdiag.ingest.frames;
  exports io.gcdiag.measures.effects;
  exports io.gcdiag.measures.requests;
  exports io.gcdiag.measures.waits;
  exports io.gcdiag.prediction;
  exports io.gcdiag.slo;
  exports io.gcdiag.units;

  // GCToolkit calls the aggregations by reflection.
  opens io.gcdiag.ingest.gclog.toolkit to
      com.microsoft.gctoolkit.api;
}
