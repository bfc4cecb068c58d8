package io.gcdiag.causes.workers;

import io.gcdiag.books.Edit;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.Flag;
import io.gcdiag.evidence.jvm.JvmFacts;
import io.gcdiag.evidence.jvm.JvmSample.RequestFramework;
import io.gcdiag.units.ResourceText;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The property or setter for the size of a pool in the library or framework that was seen. */
public final class SizeSetting {

  private static final String REDIS = "spring.data.redis.";
  private static final String REDIS_OF_BOOT_2 = "spring.redis.";

  /** The oldest JDK of Spring Boot 3. */
  private static final int BOOT_3_NEEDS = 17;

  /** A property on the command line that sets a number of something. */
  private static final Pattern SIZE_PROPERTY =
      Pattern.compile("(?i).*(?:pool|connection|conns|threads|workers|max).*");

  /** A method of a type or a constructor; all others stand in a file of settings. */
  private static final Pattern IN_CODE =
      Pattern.compile("new \\w+|(?:[A-Z]\\w*\\.)+\\w+|.* maximum size");

  private final Timeline timeline;
  private final Set<String> frameworks;

  public SizeSetting(Timeline timeline) {
    this.timeline = timeline;
    this.frameworks =
        timeline.samples(RequestFramework.class).stream()
            .map(RequestFramework::name)
            .collect(Collectors.toSet());
  }

  /**
   * The settings of a pool's size.
   *
   * @param library the pool's library
   * @param now its size
   */
  public List<Edit> pool(String library, Optional<Integer> now, int to, String why) {
    Optional<String> seen = onCommandLine(now);
    if (seen.isPresent()) {
      return List.of(property(Flag.PROPERTY + seen.get(), now, to, why));
    }
    List<String> settings = LibrarySettings.of(LibrarySettings.SIZE, library, frameworks);
    // Where a second setting divides the pool, the number known is not that of the first.
    boolean divided = settings.stream().anyMatch(setting -> setting.contains("="));
    Optional<String> before = now.filter(size -> !divided).map(String::valueOf);
    return (settings.isEmpty() ? List.of(library + " maximum size") : settings)
        .stream()
            .flatMap(this::ofSpring)
            .map(setting -> edit(setting, before, Integer.toString(to), why))
            .toList();
  }

  /**
   * Spring Boot 3, which needs JDK 17, moved the properties of Redis below another name. Where
   * either may run, both are set: each of them ignores the other's.
   */
  private Stream<String> ofSpring(String name) {
    String earlier = name.replace(REDIS, REDIS_OF_BOOT_2);
    if (earlier.equals(name)) {
      return Stream.of(name);
    }
    JvmFacts jvm = timeline.jvm();
    boolean boot2 = jvm.exactVersion().isPresent() && jvm.oldestRelease().orElse(0) < BOOT_3_NEEDS;
    return boot2 ? Stream.of(earlier) : Stream.of(name, earlier);
  }

  /**
   * The settings of the number of a group's threads.
   *
   * @param group the threads' name without numbers
   */
  List<Edit> threads(String group, Optional<Integer> now, int to, String why) {
    List<String> settings = LibrarySettings.of(LibrarySettings.THREADS, group, frameworks);
    Optional<String> known = settings.stream().findFirst();
    boolean named = known.filter(this::isOnCommandLine).isPresent();
    Optional<String> seen = named ? known : onCommandLine(now);
    if (seen.isPresent()) {
      return List.of(property(Flag.PROPERTY + seen.get(), now, to, why));
    }
    Optional<String> before = now.map(String::valueOf);
    String executor = "executor of the threads " + group;
    return settings.isEmpty()
        ? List.of(new Edit(Edit.Kind.CODE, executor, before, to + " threads", why))
        : settings.stream()
            .map(setting -> edit(setting, before, Integer.toString(to), why))
            .toList();
  }

  /**
   * The settings with which a pool prints the stack that acquired a connection and did not return
   * it, or takes it back; empty for a library that has none.
   */
  public List<Edit> leakDetection(String library) {
    if (library.startsWith("Apache HttpClient")) {
      return List.of(
          new Edit(
              Edit.Kind.CODE,
              library,
              Optional.empty(),
              "close each response by try-with-resources, also where its body is not read",
              "a response that is not closed holds its connection; the client detects no leaks"));
    }
    String why = "prints the stack that acquired a connection and did not return it";
    return LibrarySettings.of(LibrarySettings.LEAK, library, frameworks).stream()
        .map(setting -> edit(setting, Optional.empty(), "", why))
        .toList();
  }

  /** A setting with its own value, or else with the one advised. */
  private static Edit edit(String setting, Optional<String> now, String to, String why) {
    int value = setting.indexOf('=');
    String name = value < 0 ? setting : setting.substring(0, value);
    Edit.Kind kind = IN_CODE.matcher(name).matches() ? Edit.Kind.CODE : Edit.Kind.PROPERTY;
    return value < 0
        ? new Edit(kind, name, now, to, why)
        : new Edit(kind, name, Optional.empty(), setting.substring(value + 1), why);
  }

  private static Edit property(String name, Optional<Integer> now, int to, String why) {
    return new Edit(Edit.Kind.PROPERTY, name, now.map(String::valueOf), Integer.toString(to), why);
  }

  /** Whether a property on the command line has that number. */
  public boolean isSet(int size) {
    return onCommandLine(Optional.of(size)).isPresent();
  }

  private boolean isOnCommandLine(String property) {
    return timeline.jvm().flag(Flag.PROPERTY + property).isPresent();
  }

  /** The one property on the command line with that number and a name that means a size. */
  private Optional<String> onCommandLine(Optional<Integer> now) {
    List<String> candidates =
        timeline.jvm().flags().values().stream()
            .filter(flag -> flag.name().startsWith(Flag.PROPERTY))
            .filter(flag -> now.map(String::valueOf).filter(flag.value()::equals).isPresent())
            .map(flag -> flag.name().substring(Flag.PROPERTY.length()))
            .filter(name -> SIZE_PROPERTY.matcher(name).matches())
            .toList();
    return candidates.size() == 1 ? Optional.of(candidates.get(0)) : Optional.empty();
  }

  /**
   * The settings of libraries, servers and frameworks that edits name: {@code
   * library-settings.txt}.
   */
  private static final class LibrarySettings {

    /** The number of connections of a pool. */
    static final String SIZE = "size";

    /** The number of threads of those with a name. */
    static final String THREADS = "threads";

    /** What makes a pool name connections that are not returned. */
    static final String LEAK = "leak";

    private static final String ANY = "-";

    private static final List<Row> ROWS =
        ResourceText.lines(LibrarySettings.class, "library-settings.txt").stream()
            .map(line -> List.of(line.split("\t")))
            .map(row -> new Row(row.get(0), row.get(1), row.get(2), row.subList(3, row.size())))
            .toList();

    private record Row(String kind, String thing, String framework, List<String> settings) {}

    private LibrarySettings() {}

    /**
     * The settings of a library, or of the threads with a name.
     *
     * @param frameworks those that were seen
     * @return names, each with {@code =} and a value if that is always the same; none if unknown
     */
    static List<String> of(String kind, String thing, Set<String> frameworks) {
      return ROWS.stream()
          .filter(row -> row.kind().equals(kind))
          .filter(
              row -> kind.equals(THREADS) ? thing.matches(row.thing()) : thing.equals(row.thing()))
          .filter(row -> row.framework().equals(ANY) || frameworks.contains(row.framework()))
          .map(Row::settings)
          .findFirst()
          .orElse(List.of());
    }
  }
}
