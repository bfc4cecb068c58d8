package io.gcdiag.read.frames;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * The parsed lines of {@code frames.txt}: which sections a frame belongs to, and under which name.
 */
final class FrameRules {

  /**
   * Number of cached frames. A large service has tens of thousands of methods; more than that makes
   * reading slower, but memory stays limited.
   */
  private static final int REMEMBERED_FRAMES = 65_536;

  private static final String WITHOUT_NAME = "";

  /** Section to name, for frames matched whole. */
  private final Map<String, Map<Section, String>> exact;

  /** The same for prefixes, which end in a dot or a dollar sign. */
  private final Map<String, Map<Section, String>> beginnings;

  private final Map<Section, Set<String>> names;

  /** The first parts of all packages; frames that contain none of them are no relocated library. */
  private final Set<String> heads;

  private final List<String> plumbingParts;
  private final List<Pattern> requestThreads;
  private final List<Pattern> otherThreads;
  private final Map<String, Meaning> remembered;

  private final Map<String, Meaning> ofMethods = new HashMap<>();

  private FrameRules() {
    exact = new HashMap<>();
    beginnings = new HashMap<>();
    names = new EnumMap<>(Section.class);
    heads = new HashSet<>();
    plumbingParts = new ArrayList<>();
    requestThreads = new ArrayList<>();
    otherThreads = new ArrayList<>();
    remembered = new ConcurrentHashMap<>();
  }

  /** The same rules and cache, with request threads of its own. */
  private FrameRules(FrameRules lines, List<Pattern> requestThreads) {
    exact = lines.exact;
    beginnings = lines.beginnings;
    names = lines.names;
    heads = lines.heads;
    plumbingParts = lines.plumbingParts;
    this.requestThreads = requestThreads;
    otherThreads = lines.otherThreads;
    remembered = lines.remembered;
  }

  /**
   * Reads rules in the format that the head of {@code frames.txt} describes.
   *
   * @throws IllegalArgumentException if a line belongs to no known section or is not a rule
   * @throws IOException if reading fails
   */
  static FrameRules parse(Reader text) throws IOException {
    FrameRules rules = new FrameRules();
    rules.add(text);
    return rules;
  }

  /**
   * Adds the rules of another text; where one is about the same frame in the same section, it
   * replaces what was there. Not to be called once the rules are in use.
   *
   * @throws IllegalArgumentException if a line belongs to no known section or is not a rule
   * @throws IOException if reading fails
   */
  void add(Reader text) throws IOException {
    BufferedReader lines = new BufferedReader(text);
    Optional<Section> section = Optional.empty();
    int number = 0;
    for (String raw = lines.readLine(); raw != null; raw = lines.readLine()) {
      number++;
      String line = raw.strip();
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      if (line.startsWith("[") && line.endsWith("]")) {
        section = Section.titled(line.substring(1, line.length() - 1));
        if (section.isEmpty()) {
          throw new IllegalArgumentException("line " + number + ": unknown section " + line);
        }
      } else if (section.isPresent()) {
        add(section.get(), line, number);
      } else {
        throw new IllegalArgumentException("line " + number + ": a rule outside any section");
      }
    }
  }

  /** The same with names of request threads; methods may then be given additional meanings. */
  FrameRules and(Set<String> threads) {
    List<Pattern> all = new ArrayList<>(requestThreads);
    threads.forEach(glob -> all.add(glob(glob)));
    return new FrameRules(this, all);
  }

  /** Gives a method an additional meaning; not to be called once in use. */
  void mean(String method, Section section, String name) {
    ofMethods.put(method, meaning(method).and(section, name));
  }

  private void add(Section section, String line, int number) {
    if (section == Section.REQUEST_THREAD) {
      boolean other = line.startsWith("!");
      (other ? otherThreads : requestThreads).add(glob(other ? line.substring(1) : line));
      return;
    }
    int colon = line.indexOf(": ");
    String name = colon < 0 ? WITHOUT_NAME : line.substring(0, colon);
    for (String frame : line.substring(colon < 0 ? 0 : colon + 2).strip().split("\\s+")) {
      if (section == Section.PLUMBING && frame.startsWith("*") && frame.endsWith("*")) {
        plumbingParts.add(frame.substring(1, frame.length() - 1));
      } else if (frame.indexOf('*') >= 0 || frame.indexOf('.') < 0) {
        throw new IllegalArgumentException("line " + number + ": not a frame: " + frame);
      } else {
        heads.add(frame.substring(0, frame.indexOf('.')));
        boolean beginning = frame.endsWith(".") || frame.endsWith("$");
        (beginning ? beginnings : exact)
            .computeIfAbsent(frame, key -> new EnumMap<>(Section.class))
            .put(section, name);
        names.computeIfAbsent(section, key -> new HashSet<>()).add(name);
      }
    }
  }

  private static Pattern glob(String text) {
    return Pattern.compile(Pattern.quote(text).replace("*", "\\E.*\\Q"), Pattern.DOTALL);
  }

  /** The name of a frame in a section, which may be empty; empty optional if it is not in it. */
  Optional<String> name(Section section, String frame) {
    return meaning(frame).name(section);
  }

  /** Whether any line of a section has that name. */
  boolean isNamed(Section section, String name) {
    return names.getOrDefault(section, Set.of()).contains(name);
  }

  boolean is(Section section, String frame) {
    return meaning(frame).is(section);
  }

  boolean isRequestThread(String threadName) {
    return requestThreads.stream().anyMatch(pattern -> pattern.matcher(threadName).matches())
        && otherThreads.stream().noneMatch(pattern -> pattern.matcher(threadName).matches());
  }

  Meaning meaning(String frame) {
    Meaning known = ofMethods.isEmpty() ? null : ofMethods.get(frame);
    if (known == null) {
      known = remembered.get(frame);
    }
    if (known == null) {
      known = lookUp(frame);
      if (remembered.size() < REMEMBERED_FRAMES) {
        remembered.put(frame, known);
      }
    }
    return known;
  }

  /**
   * A longer prefix is more specific and overrides a shorter one; a whole frame overrides all.
   * Relocated classes ({@code com.acme.shaded.com.zaxxer.hikari}) mean the same as the original
   * ones, unless the frame as it is has a meaning of its own.
   */
  private Meaning lookUp(String frame) {
    Map<Section, String> found = new EnumMap<>(Section.class);
    find(frame, 0, found);
    for (int dot = frame.indexOf('.'); dot > 0; dot = frame.indexOf('.', dot + 1)) {
      int end = frame.indexOf('.', dot + 1);
      if (end > 0
          && Relocation.isPackage(frame, dot + 1)
          && heads.contains(frame.substring(dot + 1, end))) {
        Map<Section, String> relocated = new EnumMap<>(Section.class);
        find(frame, dot + 1, relocated);
        relocated.remove(Section.JDK);
        relocated.forEach(found::putIfAbsent);
      }
    }
    if (plumbingParts.stream().anyMatch(frame::contains)) {
      found.put(Section.PLUMBING, WITHOUT_NAME);
    }
    return new Meaning(frame, found.isEmpty() ? Map.of() : found);
  }

  /** The meaning of a frame from one of its letters on. */
  private void find(String frame, int from, Map<Section, String> found) {
    for (int i = from; i < frame.length(); i++) {
      char c = frame.charAt(i);
      if (c == '.' || c == '$') {
        find(beginnings, frame, from, i + 1, found);
      }
    }
    find(exact, frame, from, frame.length(), found);
  }

  private static void find(
      Map<String, Map<Section, String>> rules,
      String frame,
      int from,
      int to,
      Map<Section, String> found) {
    String rule = frame.substring(from, to);
    Map<Section, String> meanings = rules.get(rule);
    if (meanings != null && (from == 0 || Relocation.isPlausible(rule, frame.substring(0, from)))) {
      found.putAll(meanings);
    }
  }

  /**
   * Libraries that a product ships under a prefix of its own, as build tools relocate them: {@code
   * org.apache.hc.} becomes {@code com.acme.search.org.apache.hc.}.
   */
  private static final class Relocation {

    /** The JVM does not load such classes from relocated packages. */
    private static final List<String> JDK = List.of("java.", "jdk.", "sun.", "com.sun.");

    /** How packages that are named after domains begin. Other names may be part of any package. */
    private static final Set<String> DOMAINS =
        Set.of("com", "org", "net", "io", "dev", "co", "ch", "de", "me", "edu");

    /** Parts of a prefix that indicate relocation. */
    private static final List<String> MARKS =
        List.of(
            "shade",
            "shadow",
            "reloc",
            "repackag",
            "thirdparty",
            "third_party",
            "vendor",
            "jarjar",
            "bundled",
            "embedded");

    /** A package of this many parts is not a coincidence, whatever its first part is. */
    private static final int UNMISTAKABLE = 3;

    /** Whether the name of a package may begin at that letter of a frame. */
    static boolean isPackage(String frame, int at) {
      return at < frame.length() && !Character.isUpperCase(frame.charAt(at));
    }

    /**
     * Whether a rule may apply to a frame with a prefix.
     *
     * @param rule the frame or prefix of the library itself
     * @param prefix the text before it; ends in a dot
     */
    static boolean isPlausible(String rule, String prefix) {
      if (JDK.stream().anyMatch(rule::startsWith)) {
        return false;
      }
      int parts = packageParts(rule);
      boolean named = DOMAINS.contains(rule.substring(0, rule.indexOf('.'))) && parts > 1;
      return named || parts >= UNMISTAKABLE || isMarked(prefix);
    }

    /** Whether the last part of a prefix indicates relocation. */
    private static boolean isMarked(String prefix) {
      int last = prefix.lastIndexOf('.', prefix.length() - 2) + 1;
      String lower = prefix.substring(last).toLowerCase(Locale.ROOT);
      return MARKS.stream().anyMatch(lower::contains);
    }

    /**
     * Number of packages in the rule: the parts before the first that begins with a capital letter.
     */
    private static int packageParts(String rule) {
      int parts = 0;
      int from = 0;
      for (int dot = rule.indexOf('.'); dot > 0; dot = rule.indexOf('.', from)) {
        if (!isPackage(rule, from)) {
          return parts;
        }
        parts++;
        from = dot + 1;
      }
      return parts;
    }
  }
}
