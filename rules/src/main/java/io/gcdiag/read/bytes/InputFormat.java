package io.gcdiag.read.bytes;

import java.io.IOException;
import java.util.List;

/** One kind of input file. */
public abstract class InputFormat {

  private final String id;
  private final String kind;
  private final String description;

  /** A format that no other shares its option with. */
  protected InputFormat(String id, String description) {
    this(id, id, description);
  }

  /**
   * A format.
   *
   * @param id its public name, such as {@code jfr} or {@code gc-log}; also the name of its page
   * @param kind the option of the command line that names such files: a word that several formats
   *     share
   * @param description what such a file is and how to tell, for the message about a file that is
   *     not one
   */
  protected InputFormat(String id, String kind, String description) {
    this.id = id;
    this.kind = kind;
    this.description = description;
  }

  /** Its public name. */
  public final String id() {
    return id;
  }

  /** The option of the command line that names such files. */
  public final String kind() {
    return kind;
  }

  /** What such a file is and how to tell. */
  public final String description() {
    return description;
  }

  /** Whether a file that begins so is of this kind; the name of the file does not count. */
  public abstract boolean recognises(FileHead head);

  /**
   * Words one of which stands in every text of this kind, for formats that may stand between other
   * lines: all that a JVM and its application write to one output. Such a format is looked for in
   * the whole of a text, and beside others.
   */
  public List<String> marks() {
    return List.of();
  }

  /**
   * Reads a file into the intake.
   *
   * @return what could be read
   * @throws IOException if nothing could be read; its message is one line for the user, without the
   *     file's name
   */
  public abstract Outcome read(InputFile file, IngestContext intake) throws IOException;

  /**
   * How reading went.
   *
   * @param complete whether all of the file was read
   * @param note what was lost, one line; empty if nothing
   */
  public record Outcome(boolean complete, String note) {

    /** All was read. */
    public static final Outcome COMPLETE = new Outcome(true, "");

    /** Some was lost. */
    public static Outcome partial(String note) {
      return new Outcome(false, note);
    }
  }
}
