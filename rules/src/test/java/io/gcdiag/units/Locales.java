package io.gcdiag.units;

import java.util.Locale;

/** Runs a test as on a machine of another locale. */
final class Locales {

  private Locales() {}

  static void with(Locale locale, Runnable test) {
    Locale usual = Locale.getDefault();
    Locale.setDefault(locale);
    try {
      test.run();
    } finally {
      Locale.setDefault(usual);
    }
  }
}
