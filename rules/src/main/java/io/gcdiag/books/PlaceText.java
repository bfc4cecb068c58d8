package io.gcdiag.books;

import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.units.ResourceText;
import java.util.List;
import java.util.Map;

/** What a thread of a dump does, and where, in words. */
public final class PlaceText {

  /** What a thread does. */
  private static final Map<String, List<String>> ACTIVITIES =
      ResourceText.table(PlaceText.class, "activities.txt");

  private PlaceText() {}

  /** {@code in a downstream call (PostgreSQL) at com.shop.Orders.find}. */
  public static String of(ThreadState thread) {
    String what = ACTIVITIES.get(thread.activity().name()).get(0);
    String of = thread.subject().isEmpty() ? "" : " (" + thread.subject() + ")";
    String at = thread.standing().at().isEmpty() ? "" : " at " + thread.standing().at();
    return what + of + at;
  }
}
