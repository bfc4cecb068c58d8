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

/** The setting for the size of a pool in the library or framework that was seen. */
public final class SizeSetting {

  /** The oldest JDK that runs Spring Boot 3. */
  private static final int BOOT_3_NEEDS = 17;

  /** Properties on the command line that may be sizes. */
  private static final Pattern SIZE_PROPERTY =
      Pattern.compile("(?i).*(?:pool|connection|conns|threads|workers|max).*");

  /**
   * Settings in code: a method of a type, or a constructor; all others are in a configuration file.
   */
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
   * The settings for a pool's size.
   *
   * @param now its size
   */
  public List<Edit> pool(String library, Optional<Integer> now, int to, String why) {
    Optional<String> seen = onCommandLine(now);
    if (seen.isPresent()) {
      return List.of(property(Flag.PROPERTY + seen.get(), now, to, why));
    }
    List<String> settings = LibrarySettings.of(LibrarySettings.SIZE, library, frameworks);
    // If a second setting divides the pool, the known size is not the value of the first.
    boolean divided = settings.stream().anyMatch(setting -> setting.contains("="));
    Optional<String> before = now.filter(size -> !divided).map(String::valueOf);
    return (settings.isEmpty() ? List.of(library + " maximum size") : settings)
        .stream()
            .flatMap(this::ofSpring)
            .map(setting -> edit(setting, before, Integer.toString(to), why))
            .toList();
  }

  /**
   * Spring Boot 3, which needs JDK 17, renamed the properties of Redis. If either version may run,
   * both names are set; each version ignores the other's.
   */
  private Stream<String> ofSpring(String name) {
    String earlier = name.replace("spring.data.redis.", "spring.redis.");
    if (earlier.equals(name)) {
      return Stream.of(name);
    }
    JvmFacts jvm = timeline.jvm();
    boolean boot2 = jvm.exactVersion().isPresent() && jvm.oldestRelease().orElse(0) < BOOT_3_NEEDS;
    return boot2 ? Stream.of(earlier) : Stream.of(name, earlier);
  }

  /**
   * The settings for the number of a group's threads.
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
   * it, or takes the connection back; empty for a library without one.
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

  /** An edit with the setting's fixed value, or else with the recommended one. */
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

  /** Whether a property on the command line has that value. */
  public boolean isSet(int size) {
    return onCommandLine(Optional.of(size)).isPresent();
  }

  private boolean isOnCommandLine(String property) {
    return timeline.jvm().flag(Flag.PROPERTY + property).isPresent();
  }

  /** The only property on the command line with that value and a name for a size. */
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
   * The settings of libraries, servers and frameworks that edits name, from {@code
   * library-settings.txt}.
   */
  private static final class LibrarySettings {

    /** The number of connections of a pool. */
    static final String SIZE = "size";

    static final String THREADS = "threads";

    /** Settings that make a pool report connections that are not returned. */
    static final String LEAK = "leak";

    private static final String ANY = "-";

    private static final List<Row> ROWS =
        ResourceText.lines(LibrarySettings.class, "library-settings.txt").stream()
            .map(line -> List.of(line.split("\t")))
            .map(row -> new Row(row.get(0), row.get(1), row.get(2), row.subList(3, row.size())))
            .toList();

    private record Row(String kind, String thing, String framework, List<String> settings) {}

    /**
     * The settings for a library, or for threads with a name.
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
