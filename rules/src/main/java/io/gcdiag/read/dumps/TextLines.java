package io.gcdiag.read.dumps;

import java.io.IOException;
import java.util.Optional;

/** The lines of a text, one after the other. */
interface TextLines {

  /** The next line without its end, or nothing at the end of the text. */
  Optional<String> read() throws IOException;

  /** The number of the line read last, from 1. */
  long number();
}
