package io.gcdiag.advice;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.Flag;
import io.gcdiag.evidence.jvm.JvmFacts;
import io.gcdiag.evidence.profile.RequestFramework;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The property or setter for the size of a pool in the library or framework that was seen. */
final class SizeSetting {

  private static final String SPRING = "Spring";
  private static final String QUARKUS = "Quarkus";
  private static final String MICRONAUT = "Micronaut";

  /** The size is per partition; with one partition it is the size of the pool. */
  private static final String BONE_CP = "BoneCP";

  private static final String REDIS = "spring.data.redis.";
  private static final String REDIS_OF_BOOT_2 = "spring.redis.";

  /** The oldest JDK of Spring Boot 3. */
  private static final int BOOT_3_NEEDS = 17;

  private static final String MICRONAUT_THREADS = "micronaut.executors.io.n-threads";

  /** Only a pool of this type has that number; one that is configured at all is scheduled else. */
  private static final String MICRONAUT_TYPE = "micronaut.executors.io.type";

  /** Longer than requests hold one; DBCP and Druid wait 300 s if it is not set. */
  private static final String ABANDONED_SECONDS = "30";

  /** The least that HikariCP takes (HikariConfig.validateNumerics). */
  private static final String LEAK_MILLIS = "2000";

  /** A property on the command line that sets a number of something. */
  private static final Pattern SIZE_PROPERTY =
      Pattern.compile("(?i).*(?:pool|connection|conns|threads|workers|max).*");

  /** Of a server's threads: a setter or a constructor; all others stand in a file of settings. */
  private static final Pattern IN_CODE = Pattern.compile("new \\w+|.*\\.set[A-Z]\\w*");

  /** By library and framework; without a framework the setter. */
  private static final Map<String, Map<String, String>> PROPERTIES =
      Map.ofEntries(
          Map.entry(
              "HikariCP",
              Map.of(
                  SPRING, "spring.datasource.hikari.maximum-pool-size",
                  MICRONAUT, "datasources.default.maximum-pool-size")),
          Map.entry("Tomcat JDBC", Map.of(SPRING, "spring.datasource.tomcat.max-active")),
          Map.entry("DBCP", Map.of(SPRING, "spring.datasource.dbcp2.max-total")),
          Map.entry("Druid", Map.of(SPRING, "spring.datasource.druid.max-active")),
          Map.entry("Agroal", Map.of(QUARKUS, "quarkus.datasource.jdbc.max-size")),
          Map.entry("Lettuce", Map.of(SPRING, "spring.data.redis.lettuce.pool.max-active")),
          Map.entry("Jedis", Map.of(SPRING, "spring.data.redis.jedis.pool.max-active")),
          Map.entry("R2DBC pool", Map.of(SPRING, "spring.r2dbc.pool.max-size")));

  /** Setters take the number of connections. */
  private static final Map<String, List<String>> SETTERS =
      Map.ofEntries(
          Map.entry("HikariCP", List.of("HikariConfig.setMaximumPoolSize")),
          Map.entry("Tomcat JDBC", List.of("PoolProperties.setMaxActive")),
          Map.entry("DBCP", List.of("BasicDataSource.setMaxTotal")),
          Map.entry("DBCP 1", List.of("BasicDataSource.setMaxActive")),
          Map.entry("c3p0", List.of("ComboPooledDataSource.setMaxPoolSize")),
          Map.entry("Druid", List.of("DruidDataSource.setMaxActive")),
          Map.entry("Agroal", List.of("AgroalConnectionPoolConfigurationSupplier.maxSize")),
          Map.entry("Vibur", List.of("ViburDBCPDataSource.setPoolMaxSize")),
          Map.entry("UCP", List.of("PoolDataSource.setMaxPoolSize")),
          Map.entry(
              "Apache HttpClient 4",
              List.of(
                  "PoolingHttpClientConnectionManager.setMaxTotal",
                  "PoolingHttpClientConnectionManager.setDefaultMaxPerRoute")),
          Map.entry(
              "Apache HttpClient 5",
              List.of(
                  "PoolingHttpClientConnectionManager.setMaxTotal",
                  "PoolingHttpClientConnectionManager.setDefaultMaxPerRoute")),
          Map.entry("Jedis", List.of("JedisPoolConfig.setMaxTotal")),
          Map.entry("Lettuce", List.of("GenericObjectPoolConfig.setMaxTotal")),
          Map.entry("Commons Pool", List.of("GenericObjectPoolConfig.setMaxTotal")),
          Map.entry("Commons Pool 1", List.of("GenericObjectPool.setMaxActive")),
          Map.entry("MongoDB", List.of("ConnectionPoolSettings.Builder.maxSize")),
          Map.entry("R2DBC pool", List.of("ConnectionPoolConfiguration.Builder.maxSize")),
          Map.entry("Stormpot", List.of("PoolBuilder.setSize")));

  /** Servers by the names of their threads, with the property of each framework. */
  private static final List<Server> SERVERS =
      List.of(
          new Server("(?:http|https|ajp)-.*-exec-.*", SPRING, "server.tomcat.threads.max"),
          new Server("(?:http|https|ajp)-.*-exec-.*", "", "Connector maxThreads"),
          new Server("qtp.*", SPRING, "server.jetty.threads.max"),
          new Server("qtp.*", "", "QueuedThreadPool.setMaxThreads"),
          new Server("XNIO-.* task-.*", SPRING, "server.undertow.threads.worker"),
          new Server("XNIO-.* task-.*", "", "Undertow.Builder.setWorkerThreads"),
          new Server("default task-.*", "", "io worker task-max-threads"),
          new Server("executor-thread-.*", "", "quarkus.thread-pool.max-threads"),
          new Server("vert\\.x-worker-thread-.*", "", "VertxOptions.setWorkerPoolSize"),
          new Server("dw-.*", "", "server.maxThreads"),
          new Server("io-executor-thread-.*", "", MICRONAUT_THREADS),
          new Server("DubboServerHandler-.*", "", "dubbo.protocol.threads"),
          new Server("defaultEventExecutorGroup-.*", "", "new DefaultEventExecutorGroup"));

  private final Timeline timeline;
  private final Set<String> frameworks;

  SizeSetting(Timeline timeline) {
    this.timeline = timeline;
    this.frameworks =
        timeline.samples(RequestFramework.class).stream()
            .map(RequestFramework::name)
            .collect(Collectors.toSet());
  }

  private record Server(String threads, String framework, String setting) {}

  /**
   * The settings of a pool's size.
   *
   * @param library the pool's library
   * @param now its size
   */
  List<Edit> pool(String library, Optional<Integer> now, int to, String why) {
    Optional<String> seen = onCommandLine(now);
    if (seen.isPresent()) {
      return List.of(property(Flag.PROPERTY + seen.get(), now, to, why));
    }
    Optional<String> property =
        PROPERTIES.getOrDefault(library, Map.of()).entrySet().stream()
            .filter(entry -> frameworks.contains(entry.getKey()))
            .map(Map.Entry::getValue)
            .findFirst();
    if (property.isPresent()) {
      return ofSpring(property.get(), now, to, why);
    }
    if (library.equals(BONE_CP)) {
      return List.of(
          setter("BoneCPConfig.setPartitionCount", Optional.empty(), 1, why),
          setter("BoneCPConfig.setMaxConnectionsPerPartition", Optional.empty(), to, why));
    }
    return SETTERS.getOrDefault(library, List.of(library + " maximum size")).stream()
        .map(setter -> setter(setter, now, to, why))
        .toList();
  }

  /**
   * Spring Boot 3, which needs JDK 17, moved the properties of Redis below another name. Where
   * either may run, both are set: each of them ignores the other's.
   */
  private List<Edit> ofSpring(String name, Optional<Integer> now, int to, String why) {
    String earlier = name.replace(REDIS, REDIS_OF_BOOT_2);
    if (earlier.equals(name)) {
      return List.of(property(name, now, to, why));
    }
    JvmFacts jvm = timeline.jvm();
    boolean boot2 = jvm.exactVersion().isPresent() && jvm.oldestRelease().orElse(0) < BOOT_3_NEEDS;
    return boot2
        ? List.of(property(earlier, now, to, why))
        : List.of(property(name, now, to, why), property(earlier, now, to, why));
  }

  /**
   * The settings of the number of a group's threads.
   *
   * @param group the threads' name without numbers
   */
  List<Edit> threads(String group, Optional<Integer> now, int to, String why) {
    Edit number = number(group, now, to, why);
    return number.name().equals(MICRONAUT_THREADS)
        ? List.of(
            number, new Edit(Edit.Kind.PROPERTY, MICRONAUT_TYPE, Optional.empty(), "fixed", why))
        : List.of(number);
  }

  private Edit number(String group, Optional<Integer> now, int to, String why) {
    Optional<String> known =
        SERVERS.stream()
            .filter(server -> group.matches(server.threads()))
            .filter(
                server -> server.framework().isEmpty() || frameworks.contains(server.framework()))
            .map(Server::setting)
            .findFirst();
    boolean named = known.filter(this::isOnCommandLine).isPresent();
    Optional<String> seen = named ? known : onCommandLine(now);
    if (seen.isPresent()) {
      return property(Flag.PROPERTY + seen.get(), now, to, why);
    }
    return known
        .map(
            setting ->
                IN_CODE.matcher(setting).matches()
                    ? setter(setting, now, to, why)
                    : property(setting, now, to, why))
        .orElseGet(
            () ->
                new Edit(
                    Edit.Kind.CODE,
                    "executor of the threads " + group,
                    now.map(String::valueOf),
                    to + " threads",
                    why));
  }

  /**
   * The settings with which a pool prints the stack that acquired a connection and did not return
   * it, or takes it back; empty for a library that has none.
   */
  List<Edit> leakDetection(String library) {
    boolean spring = frameworks.contains(SPRING);
    return switch (library) {
      case "HikariCP" ->
          said(
              LEAK_MILLIS,
              spring
                  ? "spring.datasource.hikari.leak-detection-threshold"
                  : "HikariConfig.setLeakDetectionThreshold");
      case "DBCP" ->
          abandoned(
              List.of(
                  "BasicDataSource.setRemoveAbandonedOnBorrow", "BasicDataSource.setLogAbandoned"),
              "BasicDataSource.setRemoveAbandonedTimeout");
      case "DBCP 1" ->
          abandoned(
              List.of("BasicDataSource.setRemoveAbandoned", "BasicDataSource.setLogAbandoned"),
              "BasicDataSource.setRemoveAbandonedTimeout");
      case "Tomcat JDBC" ->
          said("true", "PoolProperties.setRemoveAbandoned", "PoolProperties.setLogAbandoned");
      case "Druid" ->
          abandoned(
              List.of("DruidDataSource.setRemoveAbandoned", "DruidDataSource.setLogAbandoned"),
              "DruidDataSource.setRemoveAbandonedTimeout");
      case "Agroal" ->
          frameworks.contains(QUARKUS)
              ? said("2s", "quarkus.datasource.jdbc.leak-detection-interval")
              : List.of();
      case "Apache HttpClient 3", "Apache HttpClient 4", "Apache HttpClient 5" ->
          List.of(
              new Edit(
                  Edit.Kind.CODE,
                  library,
                  Optional.empty(),
                  "close each response by try-with-resources, also where its body is not read",
                  "a response that is not closed holds its connection; the client detects no leaks"));
      default -> List.of();
    };
  }

  /** Switches, and after how many seconds a connection counts as abandoned. */
  private static List<Edit> abandoned(List<String> switches, String timeout) {
    List<Edit> edits = new ArrayList<>(said("true", switches.toArray(String[]::new)));
    edits.addAll(said(ABANDONED_SECONDS, timeout));
    return edits;
  }

  private static List<Edit> said(String to, String... names) {
    return Stream.of(names)
        .map(
            name ->
                new Edit(
                    name.equals(name.toLowerCase(Locale.ROOT))
                        ? Edit.Kind.PROPERTY
                        : Edit.Kind.CODE,
                    name,
                    Optional.empty(),
                    to,
                    "prints the stack that acquired a connection and did not return it"))
        .toList();
  }

  private static Edit property(String name, Optional<Integer> now, int to, String why) {
    return new Edit(Edit.Kind.PROPERTY, name, now.map(String::valueOf), Integer.toString(to), why);
  }

  private static Edit setter(String name, Optional<Integer> now, int to, String why) {
    return new Edit(Edit.Kind.CODE, name, now.map(String::valueOf), Integer.toString(to), why);
  }

  /** Whether a property on the command line has that number. */
  boolean isSet(int size) {
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
}
