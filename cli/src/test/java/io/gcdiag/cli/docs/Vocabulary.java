package io.gcdiag.cli.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Phrases that no text uses, and the term of the field for each. */
public final class Vocabulary {

  private Vocabulary() {}

  /** A phrase that is not used, and what to write. */
  record Banned(String phrase, String use) {}

  /**
   * Several such phrases.
   *
   * @param any finds in one pass whether a text has any of them: most have none
   */
  record Phrases(List<Banned> each, Pattern any) {

    static Phrases of(Banned... each) {
      return new Phrases(
          List.of(each),
          pattern(Stream.of(each).map(Banned::phrase).collect(Collectors.joining("|"))));
    }
  }

  /** A blank in the phrase stands for a line end, too. */
  private static Pattern pattern(String phrase) {
    return Pattern.compile(
        "\\b(?:" + phrase.replace(" ", "\\s+") + ")\\b", Pattern.CASE_INSENSITIVE);
  }

  private static final Banned CALM = new Banned("calm", "baseline");
  private static final Banned TROUBLE = new Banned("trouble", "incident window, or lost time");
  private static final Banned PEOPLE =
      new Banned(
          "whoever|somebody|someone|nobody|anybody|anyone|everybody|everyone",
          "the thing that acts: thread, holder, process, service");
  private static final Banned TOLD =
      new Banned("told (from|apart)", "distinguished from, separated");

  private static final Banned SAID =
      new Banned(
          "(is|are|was|were|be|been) told(?! (apart|from))|tells? of|told by|told of"
              + "|tells (how|what|which|who|where|when|whether)",
          "shows, states, is recorded");
  private static final Banned STILL =
      new Banned(
          "stands? still|stood still|standing still",
          "stop-the-world pause; is stopped, stuck, unchanged");
  private static final Banned FULL = new Banned("full collections?", "full GC");
  private static final Banned CORE =
      new Banned(
          "(wait|waits|waited|waiting|queue|queues|queued) for (a core|cores|the cores)",
          "waiting for CPU, run queue");
  private static final Banned REMOTE =
      new Banned("remote sides?|calls? to others", "remote host, downstream call");

  /** Comments are held to fewer terms than texts: they may speak of code. */
  static final Phrases IN_COMMENTS =
      Phrases.of(CALM, TROUBLE, PEOPLE, TOLD, SAID, STILL, FULL, CORE, REMOTE);

  private static final Phrases BANNED =
      Phrases.of(
          // Windows and lost time
          CALM,
          TROUBLE,
          new Banned("(users|requests) lost|the loss", "lost time"),
          new Banned("users (feel|felt)|nobody felt", "user impact"),
          new Banned(
              "go(es)? back to (this|it|that)|falls? to (this|it|that|the)|c(o|a)mes? to that",
              "explains 79.7 % of the lost time"),
          new Banned(
              "stays? unexplained|nobody accounts for|put down to", "unexplained, explained by"),
          new Banned(
              "users' (work|time|threads)|threads that serve( users| requests)?",
              "request threads"),
          // People as actors
          PEOPLE,
          TOLD,
          SAID,
          new Banned("speaks? (for|against|of)", "supports, is evidence for or against"),
          new Banned("too little speaks", "checked, not indicated"),
          new Banned("too little to judge", "not enough data"),
          new Banned("ask(s|ed|ing)? for", "requests, needs"),
          new Banned(
              "(samples?|sampler|dumps?) (meets?|met)|met by (a |the )?(samples?|sampler|dumps?)",
              "samples find, dumps show"),
          new Banned("named by the user|told by the user", "given on the command line"),
          new Banned("set otherwise", "settings differ"),
          new Banned("as ever|worth a word", "as in the baseline; is reported"),
          // Garbage collection
          STILL,
          FULL,
          new Banned("markings", "concurrent cycles"),
          new Banned(
              "found no room|no room to copy|failed (copies|evacuations?)|copies failed",
              "evacuation failure"),
          new Banned("what collections (left|leave)", "heap after GC"),
          new Banned("short of room|want of room|heap's room", "headroom"),
          new Banned("ceiling", "maximum heap (-Xmx)"),
          new Banned("on and on", "grows steadily"),
          new Banned("what is allocated", "allocation rate, allocation per request"),
          new Banned("beside the collections", "non-GC safepoint"),
          // Threads, locks and CPU
          new Banned("in (a|the) circle|circles? of threads|reports a circle", "deadlock"),
          CORE,
          new Banned("later than asked", "timed waits overran"),
          // Connections and calls
          // A method of that name is code.
          new Banned(
              "(?<!\\.\\s?)(?<!\\.<wbr>)borrow(s|ed|ing|er|ers)?",
              "wait for a connection, obtain a connection"),
          new Banned(
              "lent out|(give|gives|given|giving) back|keeps? (the|a|its) connections?|connections? (is|are|was|were) kept",
              "holds a connection, returned, in use"),
          REMOTE,
          new Banned(
              "file calls?|(forces?|forced|forcing) (a |the |each )?(files?|records?|logs?)",
              "file I/O, fsync"),
          new Banned("lent( out)?|handed out|(comes?|came|coming) back", "in use, is returned"),
          // Findings and figures
          new Banned(
              "(?<!persons.to.)whom|find who|who (asks|owns|keeps|holds|makes|uses)",
              "the thing that acts"),
          new Banned("(do|does|did) not tell|nothing tells|no \\w+ tells", "does not show"),
          new Banned(
              "looked for, (and|nothing)|nothing seen|too little to tell",
              "checked, not indicated; not enough data"),
          new Banned("when all is well", "in normal operation"),
          new Banned("under way", "in progress"),
          new Banned("held up|holds? up(?! to)", "delayed"),
          new Banned("pil(e|es|ed|ing) up", "queue"),
          new Banned("kept waiting", "delayed, blocked"),
          new Banned("(gets?|got) a core", "runs, does not wait for CPU"),
          new Banned("the collector's threads", "GC threads"),
          new Banned("largest heap", "maximum heap"),
          new Banned("thrown out", "deoptimized"),
          new Banned(
              "what (was|is) (lost|committed)|what requests lost", "lost time, committed heap"),
          new Banned("bears? no|to be watched|held against each", "has no; watch; compared"),
          new Banned("1 and 1 \\w+s", "one in both"));

  /** Every use of such a phrase, with the line and what to write. */
  public static List<String> violations(String name, String text) {
    return violations(name, text, BANNED);
  }

  public static List<String> violations(String name, String text, Phrases phrases) {
    if (!phrases.any().matcher(text).find()) {
      return List.of();
    }
    List<String> found = new ArrayList<>();
    for (Banned banned : phrases.each()) {
      Matcher phrase = pattern(banned.phrase()).matcher(text);
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
