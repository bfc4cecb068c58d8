package io.gcdiag.read.jfr.reader;

import io.gcdiag.units.Numbers;
import java.io.IOException;

/** A chunk of a compressed recording exceeds the memory allowed for it. */
final class HeldTooMuchException extends IOException {

  private static final long serialVersionUID = 1L;

  HeldTooMuchException(long most) {
    super(
        "has a chunk of more than "
            + Numbers.count(most >> 20)
            + " MiB, too much to hold in memory while it is unpacked; unpack the file first, or"
            + " allow more memory (GCDIAG_JAVA_OPTS=-Xmx4g)");
  }
}
