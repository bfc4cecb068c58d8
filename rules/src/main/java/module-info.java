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
  exports io.gcdiag.comparison;
  exports io.gcdiag.correlation;
  exports io.gcdiag.diagnosis;
  exports io.gcdiag.evidence;
  exports io.gcdiag.ingest;
  exports io.gcdiag.ingest.frames;
  exports io.gcdiag.ledger;
  exports io.gcdiag.prediction;
  exports io.gcdiag.rules;
  exports io.gcdiag.slo;
  exports io.gcdiag.units;

  // GCToolkit calls the aggregations by reflection.
  opens io.gcdiag.ingest.gclog to
      com.microsoft.gctoolkit.api;
}
