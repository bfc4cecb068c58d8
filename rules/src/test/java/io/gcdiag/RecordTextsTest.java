package io.gcdiag;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.Privacy.RecordTexts;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.figures.SourceTimes.SourceTime;
import io.gcdiag.loadtests.Comparison;
import io.gcdiag.verdict.Diagnosis;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RecordTextsTest {

  private static final Instant START = Instant.parse("2026-03-01T01:14:08Z");

  @Test
  void textsInsideOfSourcesAreChanged() {
    Window time = new Window(START, START.plusSeconds(1));
    assertEquals(
        new SourceTime(new Source("A.JFR", "JDK.CPULOAD"), time),
        RecordTexts.map(
            new SourceTime(new Source("a.jfr", "jdk.CPULoad"), time),
            SourceTime.class,
            text -> text.toUpperCase(java.util.Locale.ROOT)));
  }

  /** A class of ours that is no record would be handed on as it is, with all its texts. */
  @Test
  void allThatAResultHoldsCanBeLookedInto() {
    List<String> opaque = new ArrayList<>();
    Set<Class<?>> seen = new HashSet<>();
    for (Class<?> result : List.of(Diagnosis.class, Comparison.class)) {
      walk(result, seen, opaque);
    }
    assertEquals(List.of(), opaque, "say in RecordTexts how their texts are changed");
  }

  private static void walk(Type type, Set<Class<?>> seen, List<String> opaque) {
    if (type instanceof ParameterizedType generic) {
      for (Type argument : generic.getActualTypeArguments()) {
        walk(argument, seen, opaque);
      }
    } else if (type instanceof Class<?> known && isOurs(known) && seen.add(known)) {
      if (known.isRecord()) {
        for (RecordComponent component : known.getRecordComponents()) {
          walk(component.getGenericType(), seen, opaque);
        }
      } else if (known.isSealed()) {
        for (Class<?> kind : known.getPermittedSubclasses()) {
          walk(kind, seen, opaque);
        }
      } else {
        opaque.add(known.getName());
      }
    }
  }

  private static boolean isOurs(Class<?> type) {
    return type.getName().startsWith("io.gcdiag.") && !type.isEnum() && type != Source.class;
  }
}
