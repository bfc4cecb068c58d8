package io.gcdiag.fleet;

import java.util.Collection;
import java.util.List;

/**
 * The rows of a fleet, wherever they are kept. They may be too many for the memory: each is handed
 * over once to be summed up, and read again by its place if it is shown.
 */
public interface CaseRows {

  /** Takes rows one after another. */
  @FunctionalInterface
  interface Visitor {

    /**
     * Takes a row.
     *
     * @param place for {@link CaseRows#at}
     */
    void row(long place, CaseRow row);
  }

  /**
   * Hands over each row once, in any order.
   *
   * @throws java.io.UncheckedIOException if the rows cannot be read
   */
  void forEach(Visitor visitor);

  /**
   * The row at a place that was handed over.
   *
   * @throws java.io.UncheckedIOException if it cannot be read
   */
  CaseRow at(long place);

  static CaseRows of(Collection<CaseRow> rows) {
    List<CaseRow> all = List.copyOf(rows);
    return new CaseRows() {
      @Override
      public void forEach(Visitor visitor) {
        for (int i = 0; i < all.size(); i++) {
          visitor.row(i, all.get(i));
        }
      }

      @Override
      public CaseRow at(long place) {
        return all.get((int) place);
      }
    };
  }
}
