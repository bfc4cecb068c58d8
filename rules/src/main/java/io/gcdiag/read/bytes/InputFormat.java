package io.gcdiag.read.bytes;

import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.InputReport.Remark;
import io.gcdiag.evidence.time.InputReport.Status;
import java.io.IOException;
import java.util.List;

/** One kind of input file. */
public abstract class InputFormat {

  private final String id;
  private final String kind;
  private final String description;

  /** A format with a command line option of its own. */
  protected InputFormat(String id, String description) {
    this(id, id, description);
  }

  /**
   * A format.
   *
   * @param id its public name, such as {@code jfr} or {@code gc-log}; also the name of its page
   * @param kind the command line option for such files: a word that several formats share
   * @param description what such a file is and how to recognise it, for the message about a file
   *     that is not one
   */
  protected InputFormat(String id, String kind, String description) {
    this.id = id;
    this.kind = kind;
    this.description = description;
  }

  public final String id() {
    return id;
  }

  /** The command line option for such files. */
  public final String kind() {
    return kind;
  }

  /** What such a file is and how to recognise it. */
  public final String description() {
    return description;
  }

  /** Whether a file with this beginning is of this kind; the file's name does not matter. */
  public abstract boolean recognises(FileHead head);

  /**
   * Words, at least one of which is in every text of this kind. For formats that may be mixed with
   * other lines: everything that a JVM and its application write to one output. Such a format is
   * searched for in the whole text, and in addition to others.
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
   * The result of reading a file.
   *
   * @param complete whether all of the file was read
   * @param note what was lost or chosen, one line; empty if nothing
   * @param remark what the note is about
   */
  public record Outcome(boolean complete, String note, Remark remark) {

    public static final Outcome COMPLETE = complete("");

    public static Outcome complete(String note) {
      return new Outcome(true, note, Remark.NONE);
    }

    public Outcome and(String more, Remark about) {
      return new Outcome(complete, note.isEmpty() ? more : note + "; " + more, about);
    }

    public InputReport report(InputFile file, String format) {
      Status status = complete ? Status.OK : Status.PARTIAL;
      return new InputReport(file.name(), format, status, note, remark);
    }

    public static Outcome partial(String note) {
      return new Outcome(false, note, Remark.NONE);
    }
  }
}
