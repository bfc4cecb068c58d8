package io.gcdiag.cli.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Phrases that no text uses, and the term of the field for each. */
public final class Vocabulary {

  private Vocabulary() {}

  /** A phrase that is not used, and what to write. */
  record Banned(Pattern phrase, String use) {

    /** A blank in the phrase stands for a line end, too. */
    static Banned of(String phrase, String use) {
      return new Banned(
          Pattern.compile(
              "\\b(?:" + phrase.replace(" ", "\\s+") + ")\\b", Pattern.CASE_INSENSITIVE),
          use);
    }
  }

  private static final Banned CALM = Banned.of("calm", "baseline");
  private static final Banned TROUBLE = Banned.of("trouble", "incident window, or lost time");
  private static final Banned PEOPLE =
      Banned.of(
          "whoever|somebody|someone|nobody|anybody|anyone|everybody|everyone",
          "the thing that acts: thread, holder, process, service");
  private static final Banned TOLD =
      Banned.of("told (from|apart)", "distinguished from, separated");

  private static final Banned SAID =
      Banned.of(
          "(is|are|was|were|be|been) told(?! (apart|from))|tells? of|told by|told of"
              + "|tells (how|what|which|who|where|when|whether)",
          "shows, states, is recorded");
  private static final Banned STILL =
      Banned.of(
          "stands? still|stood still|standing still",
          "stop-the-world pause; is stopped, stuck, unchanged");
  private static final Banned FULL = Banned.of("full collections?", "full GC");
  private static final Banned CORE =
      Banned.of(
          "(wait|waits|waited|waiting|queue|queues|queued) for (a core|cores|the cores)",
          "waiting for CPU, run queue");
  private static final Banned REMOTE =
      Banned.of("remote sides?|calls? to others", "remote host, downstream call");

  /** Comments are held to fewer terms than texts: they may speak of code. */
  static final List<Banned> IN_COMMENTS =
      List.of(CALM, TROUBLE, PEOPLE, TOLD, SAID, STILL, FULL, CORE, REMOTE);

  private static final List<Banned> BANNED =
      List.of(
          // Windows and lost time
          CALM,
          TROUBLE,
          Banned.of("(users|requests) lost|the loss", "lost time"),
          Banned.of("users (feel|felt)|nobody felt", "user impact"),
          Banned.of(
              "go(es)? back to (this|it|that)|falls? to (this|it|that|the)|c(o|a)mes? to that",
              "explains 79.7 % of the lost time"),
          Banned.of(
              "stays? unexplained|nobody accounts for|put down to", "unexplained, explained by"),
          Banned.of(
              "users' (work|time|threads)|threads that serve( users| requests)?",
              "request threads"),
          // People as actors
          PEOPLE,
          TOLD,
          SAID,
          Banned.of("speaks? (for|against|of)", "supports, is evidence for or against"),
          Banned.of("too little speaks", "checked, not indicated"),
          Banned.of("too little to judge", "not enough data"),
          Banned.of("ask(s|ed|ing)? for", "requests, needs"),
          Banned.of(
              "(samples?|sampler|dumps?) (meets?|met)|met by (a |the )?(samples?|sampler|dumps?)",
              "samples find, dumps show"),
          Banned.of("named by the user|told by the user", "given on the command line"),
          Banned.of("set otherwise", "settings differ"),
          Banned.of("as ever|worth a word", "as in the baseline; is reported"),
          // Garbage collection
          STILL,
          FULL,
          Banned.of("markings", "concurrent cycles"),
          Banned.of(
              "found no room|no room to copy|failed (copies|evacuations?)|copies failed",
              "evacuation failure"),
          Banned.of("what collections (left|leave)", "heap after GC"),
          Banned.of("short of room|want of room|heap's room", "headroom"),
          Banned.of("ceiling", "maximum heap (-Xmx)"),
          Banned.of("on and on", "grows steadily"),
          Banned.of("what is allocated", "allocation rate, allocation per request"),
          Banned.of("beside the collections", "non-GC safepoint"),
          // Threads, locks and CPU
          Banned.of("in (a|the) circle|circles? of threads|reports a circle", "deadlock"),
          CORE,
          Banned.of("later than asked", "timed waits overran"),
          // Connections and calls
          // A method of that name is code.
          Banned.of(
              "(?<!\\.\\s?)(?<!\\.<wbr>)borrow(s|ed|ing|er|ers)?",
              "wait for a connection, obtain a connection"),
          Banned.of(
              "lent out|(give|gives|given|giving) back|keeps? (the|a|its) connections?|connections? (is|are|was|were) kept",
              "holds a connection, returned, in use"),
          REMOTE,
          Banned.of(
              "file calls?|(forces?|forced|forcing) (a |the |each )?(files?|records?|logs?)",
              "file I/O, fsync"),
          Banned.of("lent( out)?|handed out|(comes?|came|coming) back", "in use, is returned"),
          // Findings and figures
          Banned.of(
              "(?<!persons.to.)whom|find who|who (asks|owns|keeps|holds|makes|uses)",
              "the thing that acts"),
          Banned.of("(do|does|did) not tell|nothing tells|no \\w+ tells", "does not show"),
          Banned.of(
              "looked for, (and|nothing)|nothing seen|too little to tell",
              "checked, not indicated; not enough data"),
          Banned.of("when all is well", "in normal operation"),
          Banned.of("under way", "in progress"),
          Banned.of("held up|holds? up(?! to)", "delayed"),
          Banned.of("pil(e|es|ed|ing) up", "queue"),
          Banned.of("kept waiting", "delayed, blocked"),
          Banned.of("(gets?|got) a core", "runs, does not wait for CPU"),
          Banned.of("the collector's threads", "GC threads"),
          Banned.of("largest heap", "maximum heap"),
          Banned.of("thrown out", "deoptimized"),
          Banned.of(
              "what (was|is) (lost|committed)|what requests lost", "lost time, committed heap"),
          Banned.of("bears? no|to be watched|held against each", "has no; watch; compared"),
          Banned.of("1 and 1 \\w+s", "one in both"));

  /** Every use of such a phrase, with the line and what to write. */
  public static List<String> violations(String name, String text) {
    return violations(name, text, BANNED);
  }

  public static List<String> violations(String name, String text, List<Banned> all) {
    List<String> found = new ArrayList<>();
    for (Banned banned : all) {
      Matcher phrase = banned.phrase().matcher(text);
      while (phrase.find()) {
        long line = text.substring(0, phrase.start()).lines().count();
        boolean lineBegins = phrase.start() == 0 || text.charAt(phrase.start() - 1) == '\n';
        found.add(
            String.format(
                "%s:%d: '%s': write %s",
                name,
                lineBegins ? line + 1 : line,
                phrase.group().replaceAll("\\s+", " "),
                banned.use()));
      }
    }
    return found;
  }
}
