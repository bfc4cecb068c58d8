package io.gcdiag.evidence;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.jvm.StackProfile;
import io.gcdiag.evidence.threads.ThreadGroupSample.GroupTime;
import io.gcdiag.evidence.threads.ThreadGroupSample.SampledTime;
import io.gcdiag.evidence.threads.ThreadGroupSample.ThreadGroupCpu;
import io.gcdiag.evidence.threads.ThreadGroupSample.WorkerTime;
import io.gcdiag.evidence.threads.WaitSample.LockHold;
import io.gcdiag.evidence.threads.WaitSample.PoolHold;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.read.Ingest;
import io.gcdiag.read.bytes.ReadOptions;
import io.gcdiag.read.bytes.Redactor;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A timeline is what it is, whatever a caller does to what it hands out: every list, map and array
 * that can be reached from it is tried.
 */
class ImmutableTimelineTest {

  private static final Path FIXTURES = Path.of("../fixtures");

  /** Objects of one class are alike; more of them show nothing new. */
  private static final int OF_A_CLASS = 4;

  private static Timeline timeline;

  private final Set<String> tried = new TreeSet<>();
  private final List<String> changed = new ArrayList<>();

  @BeforeAll
  static void readOneOfEachKind() {
    timeline =
        Ingest.read(
            Stream.of(
                    "incidents/pool-queue-small-heap",
                    "samples/class-histograms/jcmd-jdk17-1.txt",
                    "samples/thread-dumps/jcmd-jdk17-locks-extended.txt",
                    "samples/load/jmeter-5.6.jtl",
                    "samples/metrics/table.csv")
                .map(
                    name ->
                        new Ingest.Request(
                            FIXTURES.resolve(name), Optional.empty(), Optional.empty()))
                .toList(),
            OperatorFacts.none(),
            Redactor.off(),
            ReadOptions.STANDARD);
  }

  @Test
  void nothingThatIsHandedOutCanChangeIt() throws ReflectiveOperationException {
    Deque<Object> open = new ArrayDeque<>(List.of(timeline));
    Map<Object, Boolean> seen = new IdentityHashMap<>();
    Map<Class<?>, Integer> ofClass = new HashMap<>();
    while (!open.isEmpty()) {
      Object next = open.remove();
      boolean ours = next.getClass().getName().startsWith("io.gcdiag.");
      if (ours
          && seen.put(next, true) == null
          && ofClass.merge(next.getClass(), 1, Integer::sum) <= OF_A_CLASS) {
        for (Method accessor : next.getClass().getMethods()) {
          for (Object[] arguments : arguments(accessor)) {
            tryAccessor(next, accessor, arguments).forEach(open::add);
          }
        }
      }
    }
    assertEquals(List.of(), changed);
    for (String must :
        List.of(
            "Timeline.cpu",
            "Timeline.dumps",
            "Timeline.gcCpu",
            "Timeline.heap",
            "Snapshots.histograms",
            "Timeline.inputs",
            "Timeline.metrics",
            "Timeline.pauses",
            "Stops.pausesByFile",
            "Requests.series",
            "Requests.stats",
            "Timeline.safepoints",
            "Timeline.samples",
            "Stops.secondReadings",
            "Timeline.waits",
            "Coverage.signals",
            "JvmFacts.flags",
            "ThreadSnapshot.threads")) {
      assertTrue(tried.contains(must), () -> must + " was not tried, but " + tried);
    }
  }

  /** What to call it with; empty if it cannot be called without knowing more. */
  private static List<Object[]> arguments(Method method) {
    boolean accessor =
        !Modifier.isStatic(method.getModifiers())
            && method.getDeclaringClass().getName().startsWith("io.gcdiag.")
            && method.getReturnType() != void.class;
    if (!accessor || method.getParameterCount() > 1) {
      return List.of();
    }
    if (method.getParameterCount() == 0) {
      return List.<Object[]>of(new Object[0]);
    }
    Class<?> type = method.getParameterTypes()[0];
    if (type == Window.class) {
      return List.<Object[]>of(new Object[] {timeline.span()});
    }
    if (type == Class.class) {
      return List.of(
          new Object[] {SampledTime.class},
          new Object[] {ThreadGroupCpu.class},
          new Object[] {WorkerTime.class},
          new Object[] {PoolHold.class},
          new Object[] {LockHold.class},
          new Object[] {StackProfile.class},
          new Object[] {GroupTime.class});
    }
    return type.isEnum()
        ? Arrays.stream(type.getEnumConstants()).map(one -> new Object[] {one}).toList()
        : List.of();
  }

  /** Tries to change what it gives, and says what else can be reached by it. */
  private List<Object> tryAccessor(Object owner, Method accessor, Object[] arguments)
      throws ReflectiveOperationException {
    Object given;
    try {
      accessor.setAccessible(true);
      given = accessor.invoke(owner, arguments);
    } catch (InvocationTargetException e) {
      // Not every question has an answer for every object, such as the heap around a pause.
      return List.of();
    }
    String name = owner.getClass().getSimpleName() + "." + accessor.getName();
    if (given instanceof Collection || given instanceof Map || given.getClass().isArray()) {
      tried.add(name);
      Object before = copy(given);
      spoil(given);
      if (!alike(before, accessor.invoke(owner, arguments))) {
        changed.add(name);
      }
    }
    return reached(given);
  }

  private static Object copy(Object value) {
    if (value instanceof Map<?, ?> map) {
      return new ArrayList<>(map.keySet());
    }
    if (value instanceof Collection<?> collection) {
      return new ArrayList<>(collection);
    }
    int length = Array.getLength(value);
    Object copy = Array.newInstance(value.getClass().getComponentType(), length);
    System.arraycopy(value, 0, copy, 0, length);
    return copy;
  }

  private static boolean alike(Object before, Object after) {
    if (after.getClass().isArray()) {
      return Arrays.deepEquals(new Object[] {before}, new Object[] {after});
    }
    Object now = copy(after);
    return before.equals(now)
        // Objects that are made anew each time need not be equal.
        || now instanceof List<?> list
            && list.size() == ((List<?>) before).size()
            && !list.contains(null);
  }

  private static void spoil(Object value) {
    if (value.getClass().isArray()) {
      for (int i = 0; i < Array.getLength(value); i++) {
        Array.set(
            value, i, Array.get(Array.newInstance(value.getClass().getComponentType(), 1), 0));
      }
      return;
    }
    if (value instanceof Map<?, ?> map) {
      attempt(() -> map.remove(map.keySet().iterator().next()));
      attempt(map::clear);
      return;
    }
    Collection<?> collection = (Collection<?>) value;
    attempt(() -> collection.add(null));
    attempt(
        () -> {
          Iterator<?> first = collection.iterator();
          first.next();
          first.remove();
        });
    if (collection instanceof List<?> list) {
      attempt(() -> list.set(0, null));
      attempt(() -> list.remove(0));
      attempt(() -> list.subList(0, list.size() / 2).clear());
      attempt(() -> Collections.reverse(list));
    }
    attempt(collection::clear);
  }

  private static void attempt(Runnable change) {
    try {
      change.run();
    } catch (RuntimeException e) {
      // Refused, in one way or another; what counts is what is seen afterwards.
      return;
    }
  }

  private static List<Object> reached(Object value) {
    if (value instanceof Optional<?> optional) {
      return optional.<List<Object>>map(List::of).orElse(List.of());
    }
    if (value instanceof Map<?, ?> map) {
      List<Object> all = some(map.keySet());
      all.addAll(some(map.values()));
      return all;
    }
    if (value instanceof Collection<?> collection) {
      return some(collection);
    }
    return List.of(value);
  }

  private static List<Object> some(Collection<?> all) {
    List<Object> some = new ArrayList<>();
    all.stream().limit(OF_A_CLASS).forEach(some::add);
    return some;
  }

  @Test
  void aBuilderIsOfNoUseOnceItsTimelineIsMade() throws ReflectiveOperationException {
    TimelineBuilder builder = new TimelineBuilder();
    builder.note("known");
    Timeline made = builder.build();
    int refused = 0;
    for (Method method : TimelineBuilder.class.getDeclaredMethods()) {
      if (Modifier.isPublic(method.getModifiers())
          && method.getReturnType() == TimelineBuilder.class) {
        Object[] arguments =
            Arrays.stream(method.getParameterTypes()).map(ImmutableTimelineTest::anyOf).toArray();
        InvocationTargetException thrown =
            assertThrows(
                InvocationTargetException.class,
                () -> method.invoke(builder, arguments),
                method::getName);
        assertEquals(IllegalStateException.class, thrown.getCause().getClass(), method::getName);
        refused++;
      }
    }
    assertTrue(refused > 20, "the builder has more methods than " + refused);
    assertThrows(IllegalStateException.class, builder::build);
    assertEquals(List.of("known"), made.coverage().notes());
  }

  /** A builder refuses before it looks at what it is given. */
  private static Object anyOf(Class<?> type) {
    return type == Duration.class ? Duration.ZERO : null;
  }
}
