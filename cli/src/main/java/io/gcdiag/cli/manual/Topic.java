package io.gcdiag.cli.manual;

/**
 * Something that has a page.
 *
 * @param id its public name, which is also the name of its page
 */
public record Topic(Kind kind, String id) {

  /** What has pages; each kind has a folder under {@code docs/}. */
  public enum Kind {
    HYPOTHESIS("hypotheses"),
    RULE("rules"),
    /** A word of every report. */
    WORD("reference");

    private final String folder;

    Kind(String folder) {
      this.folder = folder;
    }

    String folder() {
      return folder;
    }
  }
}
