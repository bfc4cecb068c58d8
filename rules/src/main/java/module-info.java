/**
 * The diagnosis library. {@link io.gcdiag.Analysis} is its way in; the other packages that are
 * exported are those of the types that it takes and returns, and a test holds that they are no
 * more.
 */
@SuppressWarnings("requires-automatic") // commons-math3 and HdrHistogram have no module name
module io.gcdiag {
  requires com.fasterxml.jackson.core;
  requires com.fasterxml.jackson.databind;
  requires com.fasterxml.jackson.dataformat.csv;
  requires com.microsoft.gctoolkit.api;
  requires com.microsoft.gctoolkit.parser;
  requires HdrHistogram;
  requires commons.math3;
  requires java.logging;
  requires java.xml;
  requires jdk.jfr;

  exports io.gcdiag;
  exports io.gcdiag.books;
  exports io.gcdiag.evidence;
  exports io.gcdiag.evidence.jvm;
  exports io.gcdiag.evidence.threads;
  exports io.gcdiag.evidence.time;
  exports io.gcdiag.figures;
  exports io.gcdiag.fleet;
  exports io.gcdiag.loadtests;
  exports io.gcdiag.measures.requests;
  exports io.gcdiag.measures.threads;
  exports io.gcdiag.read.bytes;
  exports io.gcdiag.read.frames;
  exports io.gcdiag.units;
  exports io.gcdiag.verdict;

  // GCToolkit calls the aggregations by reflection.
  opens io.gcdiag.read.gclog to
      com.microsoft.gctoolkit.api;
}
