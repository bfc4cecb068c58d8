package io.gcdiag.read.jfr;

import io.gcdiag.read.frames.FrameBook;
import io.gcdiag.read.jfr.reader.Trace;
import java.util.List;

/** The innermost and the outermost frame of the service's own code on a stack. */
final class CodeEnds {

  /**
   * The JVM calls the first for each class that a class loader defines from bytes. The others
   * compile for it in the running service: Groovy, Janino, Eclipse's compiler (for JSP), javac.
   */
  private static final List<String> MAKE_CLASSES =
      List.of(
          "java.lang.ClassLoader.defineClass",
          "groovy.lang.GroovyClassLoader.parseClass",
          "org.codehaus.janino.SimpleCompiler.cook",
          "org.eclipse.jdt.internal.compiler.Compiler.compile",
          "com.sun.tools.javac.main.JavaCompiler.compile");

  final Trace trace;
  final int place;
  final int caller;
  final int user;
  final String userMethod;
  final boolean own;

  /** Whether the stack shows that a request is served. */
  final boolean serving;

  /** Whether a class is being defined from bytes. */
  final boolean definesClass;

  /** Whether an exception is being created. */
  final boolean throwing;

  /** What the location calls; empty if it is the innermost frame. */
  final String callee;

  /** The method of the location; empty if there is none. */
  final String method;

  final String callerMethod;

  /** Cached: events with one stack mostly have one subject. */
  CodeSpots.Way latest;

  CodeEnds(Trace trace, int innermost, FrameBook book, Stacks stacks) {
    this.trace = trace;
    List<String> frames = trace.frames();
    own = innermost >= 0;
    place = own ? innermost : frames.indexOf(stacks.running(trace).top());
    caller = own ? book.outermostOfApplication(frames) : place;
    serving = stacks.running(trace).requestThread();
    definesClass =
        frames.stream().anyMatch(frame -> MAKE_CLASSES.stream().anyMatch(frame::startsWith));
    callee = place > 0 ? frames.get(place - 1) : "";
    throwing = frames.stream().limit(Math.max(0, place + 1)).anyMatch(CodeEnds::createsException);
    method = place < 0 ? "" : frames.get(place);
    callerMethod = caller < 0 ? "" : frames.get(caller);
    user = own ? user(frames, book) : place;
    userMethod = user < 0 ? "" : frames.get(user);
  }

  /** The frame that uses the class of the location; the location itself if there is none. */
  private int user(List<String> frames, FrameBook book) {
    String used = outerClass(frames.get(place));
    for (int frame = place + 1; frame <= caller; frame++) {
      if (book.isServices(frames.get(frame)) && !outerClass(frames.get(frame)).equals(used)) {
        return frame;
      }
    }
    return place;
  }

  /** Whether no frame is the service's own code or a substitute for it. */
  boolean isNowhere() {
    return place < 0;
  }

  private static String outerClass(String frame) {
    String name = frame.substring(0, Math.max(0, frame.lastIndexOf('.')));
    int inner = name.indexOf('$');
    return inner < 0 ? name : name.substring(0, inner);
  }

  /** Creating an exception walks the stack, in its constructor or in something that this calls. */
  private static boolean createsException(String frame) {
    return frame.startsWith("java.lang.Throwable.")
        || frame.endsWith("Exception.<init>")
        || frame.endsWith("Error.<init>")
        || frame.endsWith("Throwable.<init>");
  }
}
