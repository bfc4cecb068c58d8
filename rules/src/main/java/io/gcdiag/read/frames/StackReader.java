package io.gcdiag.read.frames;

import io.gcdiag.evidence.threads.CallPart;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.read.frames.FrameBook.Wait;
import io.gcdiag.read.frames.Meaning.Word;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Applies the rules to one stack, in the order that {@link FrameBook} documents. */
final class StackReader {

  private static final int NONE = -1;

  /** In the names of clients that speak HTTP, to whatever service. */
  private static final String CARRIER = "Http";

  /** The library below the asynchronous loggers of Log4j 2, and where it waits for a free slot. */
  private static final String RING_BUFFER = "com.lmax.disruptor.";

  private static final String NEXT_SLOT = "ProducerSequencer.next";

  private final FrameRules rules;
  private final List<String> frames;

  /** The meaning of each frame; cached, because it is used many times. */
  private final Meaning[] meanings;

  private static final String CONNECTION = "a connection of the server";

  /** A method that waits for a connection, and one inside that asks a selector for it. */
  private static final int SELECTING = 2;

  /** Classes that an executor is made of; {@code Pool} and others like it are among them. */
  private static final Pattern OF_WORKER =
      Pattern.compile(
          ".*\\b\\w*(?:Pool|Executor|EventLoop|Queue|Worker|Thread)\\w*(?:\\$\\w+)*\\.\\w+");

  /** Number of innermost frames that belong to the JDK or are waits themselves. */
  private final int leading;

  StackReader(FrameRules rules, List<String> frames) {
    this.rules = rules;
    this.frames = frames;
    this.meanings = frames.stream().map(rules::meaning).toArray(Meaning[]::new);
    int caller =
        first(
            0,
            frame ->
                !frame.is(Section.JDK) && !frame.is(Section.POLL) && !frame.is(Section.SOCKET));
    leading = caller == NONE ? meanings.length : caller;
  }

  /** Whether its frames mark the thread as serving a request. */
  boolean isServing() {
    return first(Section.REQUEST) != NONE || ServerWords.handler(frames, meanings) != NONE;
  }

  /** Whether it runs work for which an executor has neither a thread nor space. */
  boolean isOverflow() {
    return first(Section.OVERFLOW) != NONE;
  }

  /** The outermost frame that says on whose behalf the thread runs; empty without frames. */
  String root() {
    int caller = last(frame -> !frame.is(Section.JDK) && !frame.is(Section.PLUMBING));
    int root = caller == NONE ? last(frame -> !frame.is(Section.JDK)) : caller;
    return frames.isEmpty() ? "" : frames.get(root == NONE ? meanings.length - 1 : root);
  }

  /**
   * The innermost frame outside the JDK, or else the innermost of all; empty without frames. Of a
   * thread in a limiter, or in a client between two tries, the one that called it: all that wait
   * there are in the same place.
   */
  String top() {
    boolean pauses = pauseOfClient().isPresent();
    int pause =
        limiter(firstClient()).isPresent()
            ? last(frame -> frame.is(Section.LIMITER))
            : pauses ? leading : NONE;
    int caller =
        pause == NONE
            ? NONE
            : first(
                pause + 1,
                frame ->
                    !frame.is(Section.JDK)
                        && !frame.is(Section.PLUMBING)
                        && !(pauses && frame.is(Section.SERVICE_CLIENT))
                        && !(pauses && frame.is(Section.RETRY)));
    int top = caller == NONE ? first(0, frame -> !frame.is(Section.JDK)) : caller;
    return frames.isEmpty() ? "" : frames.get(Math.max(0, top));
  }

  Wait read(boolean blocked, Optional<String> parkedClass) {
    Optional<String> reserves = leadingName(Section.DIRECT_MEMORY);
    if (reserves.isPresent() && (blocked || meanings[0].is(Section.WAIT))) {
      return new Wait(WaitKind.DIRECT_MEMORY, reserves.get());
    }
    if (!blocked && isIdleWorker()) {
      return new Wait(WaitKind.IDLE, "");
    }
    Optional<String> socket = leadingName(Section.SOCKET);
    boolean polls = leadingName(Section.POLL).isPresent();
    Optional<String> connector = connector();
    int client = connector.isPresent() ? NONE : firstClient();
    Optional<String> pool = pool(socket.isPresent() || polls, client, parkedClass);
    if (pool.isPresent()) {
      return new Wait(WaitKind.POOL, pool.get());
    }
    Optional<String> log = logQueue(blocked);
    if (log.isPresent()) {
      return new Wait(WaitKind.LOG_QUEUE, log.get());
    }
    Optional<String> limiter = blocked ? Optional.empty() : limiter(client).or(this::pauseOfClient);
    if (limiter.isPresent()) {
      return new Wait(WaitKind.SLEEP, limiter.get());
    }
    Optional<String> host = leadingName(Section.HOST_SERVICE);
    if (host.isPresent() && isHeldUpByHost(host.get(), blocked, parkedClass)) {
      return new Wait(WaitKind.DOWNSTREAM, client == NONE ? host.get() : call(service(client)));
    }
    Optional<String> lock = lock(blocked, parkedClass);
    if (lock.isPresent()) {
      return new Wait(WaitKind.LOCK, lock.get());
    }
    Optional<String> permit =
        parkedClass.filter(name -> rules.is(Section.PERMIT_CLASS, name + "."));
    if (permit.isPresent() && isServing() && (client == NONE || client > leading)) {
      return new Wait(WaitKind.LOCK, permit.get());
    }
    if (client != NONE && (socket.isPresent() || polls)) {
      return new Wait(WaitKind.DOWNSTREAM, call(service(client)));
    }
    if (client != NONE && client <= leading) {
      return fileOr(new Wait(WaitKind.DOWNSTREAM, call(service(client))));
    }
    Optional<String> driver =
        blocked || client != NONE || sleeps()
            ? Optional.empty()
            : DriverWords.driver(frames, leading);
    if (driver.isPresent() && socket.isEmpty() && !polls) {
      return fileOr(new Wait(WaitKind.DOWNSTREAM, driver.get()));
    }
    Optional<String> server = blocked ? Optional.empty() : serverOfSlowClient();
    if (server.isPresent()) {
      return new Wait(WaitKind.CLIENT, server.get());
    }
    if (!sleeps() && isWithoutTask()) {
      return new Wait(WaitKind.IDLE, "");
    }
    if (connector.isPresent() && !polls) {
      return new Wait(WaitKind.OTHER, connector.get());
    }
    if (polls || socket.isPresent() && (readsInItsLoop() || readsRequest())) {
      return new Wait(WaitKind.IDLE, "");
    }
    if (socket.isPresent() && readsFromCaller()) {
      return new Wait(WaitKind.OTHER, meanings[leading].name(Section.OWN_SERVER).orElse(""));
    }
    if (socket.isPresent()) {
      return new Wait(WaitKind.DOWNSTREAM, call(socket.get()));
    }
    if (!isServing() && leadingName(Section.QUEUE).isPresent()) {
      return new Wait(WaitKind.IDLE, "");
    }
    return sleeps()
        ? new Wait(WaitKind.SLEEP, "")
        : fileOr(
            new Wait(
                WaitKind.OTHER,
                parkedClass.or(() -> leadingName(Section.FUTURE)).or(this::result).orElse("")));
  }

  /** The class of a library's own future whose result the thread waits for. */
  private Optional<String> result() {
    return leading < meanings.length ? MethodNames.future(frames.get(leading)) : Optional.empty();
  }

  /** Whether a method reads that was seen to read from connections that the service accepted. */
  private boolean readsFromCaller() {
    return leading < meanings.length && meanings[leading].is(Section.OWN_SERVER);
  }

  /**
   * Whether a thread of a known server or library waits while it runs no code of the service, by a
   * complete stack: then its wait is not a request's.
   */
  private boolean isWithoutTask() {
    return meanings.length > leading
        && meanings[0].is(Section.WAIT)
        && meanings[meanings.length - 1].is(Section.JDK)
        && !isServing()
        && outermostOfService() == NONE;
  }

  private boolean isIdleWorker() {
    int caller =
        first(
            0,
            frame ->
                frame.is(Section.LOOP)
                    || !frame.is(Section.WAIT)
                        && !frame.is(Section.BETWEEN)
                        && !frame.is(Section.POLL)
                        && !frame.is(Section.SOCKET));
    return first(Section.IDLE) != NONE
        || caller != NONE && (meanings[caller].is(Section.LOOP) || isAllOfPool(caller));
  }

  /**
   * Whether a wait is that of an executor or event loop, of whatever library, for its next task: it
   * runs nothing that is not its own.
   */
  private boolean isAllOfPool(int caller) {
    List<String> own =
        frames.stream()
            .skip(Math.max(0, caller))
            .filter(frame -> !rules.is(Section.JDK, frame))
            .toList();
    return caller > 0
        && meanings[meanings.length - 1].is(Section.JDK)
        && own.stream().anyMatch(FrameBook::isOfPool)
        && own.stream().allMatch(frame -> OF_WORKER.matcher(frame).matches());
  }

  /**
   * Whether the thread waits for the host: by reading itself, or for another thread that looks up
   * the same name. For random numbers a lock may be the only sign.
   */
  private boolean isHeldUpByHost(String host, boolean blocked, Optional<String> parkedClass) {
    boolean locked = lock(blocked, parkedClass).isPresent();
    return host.equals("DNS")
        ? locked
        : !locked && leadingName(Section.FILE).isPresent() && MethodNames.isRead(frames.get(0));
  }

  private Optional<String> pool(boolean onSocket, int client, Optional<String> parkedClass) {
    int named = first(Section.POOL);
    int beneath = first(Section.POOL_BENEATH);
    if (onSocket) {
      return Optional.empty();
    }
    if (named == NONE && beneath == NONE) {
      boolean forResource =
          meanings.length > 0
              && meanings[0].is(Section.WAIT)
              && leadingName(Section.FUTURE).isEmpty()
              && lock(false, parkedClass).isEmpty();
      if (!forResource || client != NONE && client <= leading) {
        return Optional.empty();
      }
      Optional<String> own =
          leading < meanings.length && !sleeps()
              ? meanings[leading].name(Section.OWN_POOL)
              : Optional.empty();
      return own.or(() -> PoolWords.pool(frames, leading, isServing()));
    }
    String name =
        named == NONE
            ? meanings[beneath].name(Section.POOL_BENEATH).orElse("")
            : meanings[named].name(Section.POOL).orElse("");
    int innermost = named == NONE ? beneath : beneath == NONE ? named : Math.min(named, beneath);
    boolean insideDriver = client != NONE && client < innermost && !clientName(client).equals(name);
    return insideDriver ? Optional.empty() : Optional.of(name);
  }

  /**
   * The rate limiter that the thread waits in; not one that has admitted the call and appears as
   * its caller.
   */
  private Optional<String> limiter(int client) {
    int limiter = first(Section.LIMITER);
    boolean waitsInside =
        limiter != NONE && meanings[0].is(Section.WAIT) && (client == NONE || client > limiter);
    return waitsInside ? meanings[limiter].name(Section.LIMITER) : Optional.empty();
  }

  /**
   * The asynchronous logger in whose queue the thread waits for space: the logger itself calls the
   * wait, through the JDK or a ring buffer. If a logger writes on the caller's thread instead,
   * there are an appender's frames in between.
   */
  private Optional<String> logQueue(boolean blocked) {
    int caller = leading;
    if (caller < meanings.length && frames.get(caller).endsWith(NEXT_SLOT)) {
      while (caller < meanings.length && frames.get(caller).startsWith(RING_BUFFER)) {
        caller++;
      }
    }
    boolean waits = blocked || meanings.length > 0 && meanings[0].is(Section.WAIT);
    return waits && caller < meanings.length
        ? meanings[caller].name(Section.LOG_QUEUE)
        : Optional.empty();
  }

  /**
   * The server that waits for its client to read more of a response, or to send more of a request:
   * its own frames, below those of the JDK that it waits in, reach out to one that does either, or
   * a framework's method says so by its name.
   */
  private Optional<String> serverOfSlowClient() {
    if (leading < meanings.length
        && frames.stream().limit(leading).anyMatch(MethodNames::isWrite)) {
      Optional<String> own = meanings[leading].name(Section.OWN_SERVER);
      if (own.isPresent()) {
        return own;
      }
    }
    int slow = first(Section.SLOW_CLIENT);
    int caller = first(leading, frame -> !frame.is(Section.SERVER));
    if (slow != NONE && (caller == NONE || slow <= caller)) {
      return meanings[slow].name(Section.SLOW_CLIENT);
    }
    boolean awaits =
        frames.stream().skip(leading).limit(SELECTING).anyMatch(MethodNames::awaitsConnection);
    Optional<String> known =
        slow == NONE ? Optional.empty() : meanings[slow].name(Section.SLOW_CLIENT);
    return awaits
        ? Optional.of(known.orElse(CONNECTION))
        : Optional.of(CONNECTION)
            .filter(any -> connector().isEmpty())
            .filter(any -> ServerWords.writes(frames, meanings, leading));
  }

  /** The name of a call, with the part of it that the thread is in if it is not the answer. */
  private String call(String client) {
    return leadingName(Section.UNRECORDED)
        .or(this::opening)
        .map(part -> CallPart.name(client, part))
        .orElse(client);
  }

  private Optional<String> opening() {
    boolean pooled = first(Section.POOL) != NONE || first(Section.POOL_BENEATH) != NONE;
    return first(Section.OPENING) == NONE
        ? Optional.empty()
        : Optional.of(pooled ? CallPart.OPENING_IN_POOL : CallPart.OPENING);
  }

  /** The client of a service, or the retry library, that sleeps itself between two retries. */
  private Optional<String> pauseOfClient() {
    return leading < meanings.length && sleeps()
        ? meanings[leading]
            .name(Section.SERVICE_CLIENT)
            .or(() -> meanings[leading].name(Section.RETRY))
            .map(name -> name + " retry")
        : Optional.empty();
  }

  private Optional<String> lock(boolean blocked, Optional<String> parkedClass) {
    if (blocked) {
      return Optional.of(parkedClass.orElse("monitor"));
    }
    int at = first(leading, one -> one.isServices() || one.is(Section.DATABASE_LOCK));
    if (at != NONE && !meanings[at].isServices()) {
      return meanings[at].name(Section.DATABASE_LOCK);
    }
    Optional<String> named =
        parkedClass.isPresent()
            ? parkedClass.filter(this::isLockClass)
            : leadingName(Section.LOCK).map(name -> "java.util.concurrent.locks");
    boolean waits = meanings.length > 0 && meanings[0].is(Section.WAIT) && !sleeps();
    return named.or(() -> waits ? LockWords.lock(frames, leading) : Optional.empty());
  }

  private boolean isLockClass(String name) {
    // The rules know frames; a class is looked up as the beginning of one.
    return rules.is(Section.LOCK_CLASS, name + ".") || rules.is(Section.LOCK_CLASS, name);
  }

  private Wait fileOr(Wait other) {
    if (leadingName(Section.FILE).isEmpty()) {
      return other;
    }
    return first(Section.PIPE) != NONE && MethodNames.isRead(frames.get(0))
        ? new Wait(WaitKind.OTHER, FrameBook.PIPE)
        : new Wait(WaitKind.FILE, "file");
  }

  private boolean sleeps() {
    return frames.stream().limit(leading).anyMatch(MethodNames::isSleep);
  }

  private Optional<String> leadingName(Section section) {
    int at = first(section);
    return at == NONE || at >= leading ? Optional.empty() : meanings[at].name(section);
  }

  /**
   * The innermost frame of a client that the service calls. Frames outside all of the service's own
   * code have called the service: they are of a server built on a client's library, or of one that
   * delivers messages.
   */
  private int firstClient() {
    int client = first(0, one -> one.is(Section.CLIENT) || one.is(Section.SERVICE_CLIENT));
    int caller = outermostOfService();
    return caller != NONE && client > caller ? NONE : client;
  }

  private int outermostOfService() {
    return last(Meaning::isServices);
  }

  /**
   * Whether the outermost code of the service, which only the JDK has called, reads itself: it
   * serves a connection, or passes on its data, and waits for more.
   */
  private boolean readsInItsLoop() {
    int loop = outermostOfService();
    boolean started = loop != NONE && loop + 1 < meanings.length && !isServing();
    for (int i = loop + 1; started && i < meanings.length; i++) {
      started = meanings[i].is(Section.JDK) || MethodNames.isStart(frames.get(i));
    }
    while (loop > leading && MethodNames.isStart(frames.get(loop))) {
      loop--;
    }
    return started
        && loop == leading
        && frames.stream().limit(leading).anyMatch(MethodNames::isRead);
  }

  /** Whether a server, known or not, waits for the next request of a connection. */
  private boolean readsRequest() {
    int reader = leading;
    // Streams of the server's own, one in the other.
    while (reader < frames.size() && frames.get(reader).endsWith(".read")) {
      reader++;
    }
    return reader < frames.size() && MethodNames.readsRequest(frames.get(reader));
  }

  /** The server whose connector waits for its own caller, also by a library that clients share. */
  private Optional<String> connector() {
    int at = first(leading, one -> !one.is(Section.SERVICE_CLIENT) || one.is(Section.SERVER));
    return at == NONE ? Optional.empty() : meanings[at].name(Section.SERVER);
  }

  private int first(Section section) {
    return first(0, frame -> frame.is(section));
  }

  private int first(int from, Predicate<Meaning> wanted) {
    for (int i = from; i < meanings.length; i++) {
      if (wanted.test(meanings[i])) {
        return i;
      }
    }
    return NONE;
  }

  private int last(Predicate<Meaning> wanted) {
    int i = meanings.length - 1;
    while (i >= 0 && !wanted.test(meanings[i])) {
      i--;
    }
    return i;
  }

  /** What a client calls. Of one that only carries bytes it is the client that sends them so. */
  private String service(int client) {
    int sender =
        clientName(client).contains(CARRIER)
            ? first(client, one -> one.isServices() || isSender(one))
            : NONE;
    return clientName(sender == NONE || meanings[sender].isServices() ? client : sender);
  }

  private static boolean isSender(Meaning frame) {
    return frame.name(Section.SERVICE_CLIENT).filter(name -> !name.contains(CARRIER)).isPresent();
  }

  private String clientName(int index) {
    return meanings[index]
        .name(Section.CLIENT)
        .or(() -> meanings[index].name(Section.SERVICE_CLIENT))
        .orElse("");
  }

  /**
   * Recognises servers that {@code frames.txt} does not know: a class that is named after requests,
   * and a method that handles one, have called the service's code of other packages.
   */
  private static final class ServerWords {

    /** Libraries and services begin alike in as many parts: {@code org.eclipse}. */
    private static final int PARTS = 2;

    /** The frame that handles a request; none if it has called no service. */
    static int handler(List<String> frames, Meaning[] meanings) {
      int handler = meanings.length - 1;
      while (handler > 0
          && (meanings[handler].is(Section.JDK) || !meanings[handler].says(Word.HANDLES))) {
        handler--;
      }
      int service = handler - 1;
      while (service >= 0 && !isCalled(frames, meanings, service, handler)) {
        service--;
      }
      int outside = service + 1;
      while (service >= 0 && outside < meanings.length && !isOfClient(meanings[outside])) {
        outside++;
      }
      return service >= 0 && outside == meanings.length ? handler : NONE;
    }

    private static boolean isOfClient(Meaning frame) {
      return frame.is(Section.CLIENT)
          || frame.is(Section.SERVICE_CLIENT)
          || frame.says(Word.OF_CLIENT);
    }

    /** Whether a frame is the service's own and of other packages than the server's. */
    private static boolean isCalled(
        List<String> frames, Meaning[] meanings, int service, int handler) {
      return meanings[service].isServices()
          && !packages(frames.get(service), PARTS).equals(packages(frames.get(handler), PARTS));
    }

    /**
     * Whether a request's thread waits inside a write of the library that has called the service.
     *
     * @param at the innermost frame outside the JDK
     */
    static boolean writes(List<String> frames, Meaning[] meanings, int at) {
      int write = at;
      while (write < meanings.length && !meanings[write].says(Word.WRITES)) {
        write++;
      }
      int server = write == meanings.length ? NONE : handler(frames, meanings);
      for (int i = at; i <= write && server != NONE; i++) {
        String frame = frames.get(i);
        if (meanings[i].says(Word.OF_CLIENT)
            || frames.stream().skip(server).noneMatch(outer -> areOfOne(outer, frame))) {
          return false;
        }
      }
      return server != NONE;
    }

    /** Whether two frames are of one library, of which one may have packages inside. */
    private static boolean areOfOne(String one, String other) {
      String first = packages(one, PARTS + 1);
      String second = packages(other, PARTS + 1);
      return (first + ".").startsWith(second + ".") || (second + ".").startsWith(first + ".");
    }

    private static String packages(String frame, int most) {
      String[] parts = frame.split("\\.");
      // Behind the packages are a class and a method.
      return String.join(
          ".", List.of(parts).subList(0, Math.max(0, Math.min(most, parts.length - 2))));
    }
  }

  /**
   * Recognises drivers of databases that {@code frames.txt} does not know and whose callers wait
   * for a thread of the driver that reads the answer: code of one library, called as a statement of
   * JDBC, waits in what it calls a protocol or a network. An embedded database has statements, too,
   * and none of the latter.
   */
  private static final class DriverWords {

    /** A library's packages begin alike in as many of their parts: {@code org.apache.derby}. */
    private static final int PARTS = 3;

    private static final Pattern STATEMENT =
        Pattern.compile(".*\\.\\w*(?:Statement|ResultSet)(?:\\$\\w+)*\\.\\w+");

    private static final Pattern NETWORK =
        Pattern.compile(
            ".*\\.(?:protocol|net|network|remote|transport|wire)\\..*"
                + "|.*\\.\\w*(?:Protocol|Network|Remote|Transport|Wire)\\w*(?:\\$\\w+)*\\.\\w+");

    /**
     * The packages of the driver that a stack waits in.
     *
     * @param at the innermost frame outside the JDK
     */
    static Optional<String> driver(List<String> frames, int at) {
      return frames.stream()
          .skip(at)
          .findFirst()
          .flatMap(DriverWords::packages)
          .filter(
              library -> {
                List<String> inside =
                    frames.stream().skip(at).takeWhile(f -> f.startsWith(library + ".")).toList();
                return Stream.of(STATEMENT, NETWORK)
                    .allMatch(form -> inside.stream().anyMatch(f -> form.matcher(f).matches()));
              });
    }

    private static Optional<String> packages(String frame) {
      String[] parts = frame.split("\\.");
      // Behind the packages are a class and a method.
      return parts.length >= PARTS + 2
          ? Optional.of(String.join(".", List.of(parts).subList(0, PARTS)))
          : Optional.empty();
    }
  }

  /**
   * Recognises locks that {@code frames.txt} does not know, those of an embedded database, say: a
   * class that is named as a lock and a method that takes it.
   */
  static final class LockWords {

    /** Number of frames inside the lock between the wait and the method that takes it. */
    private static final int DEPTH = 2;

    /** Outer class, and method; in {@code Block} and {@code Clock} the letter is a small one. */
    private static final Pattern TAKES =
        Pattern.compile(
            "(?:.*\\.)?(\\w*Lock\\w*)(?:\\$\\w+)*\\.(?:acquire|lock|tryLock|obtain|readLock|writeLock)\\w*");

    /**
     * The name of the lock that a stack waits for, that of its class.
     *
     * @param at the innermost frame outside the JDK; those from there outward are looked at
     */
    static Optional<String> lock(List<String> frames, int at) {
      return frames.stream()
          .skip(at)
          .limit(DEPTH)
          .map(TAKES::matcher)
          .filter(Matcher::matches)
          .map(lock -> lock.group(1))
          .findFirst();
    }
  }
}
