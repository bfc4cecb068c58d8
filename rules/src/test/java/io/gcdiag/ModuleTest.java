package io.gcdiag;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The module exports {@code io.gcdiag}, the packages of fleets, and those of the types that their
 * public signatures reach, and no more.
 */
class ModuleTest {

  private static final Path CLASSES = Path.of("target", "classes");

  @Test
  void exportsWhatItsSignaturesReach() throws Exception {
    Set<String> exported =
        descriptor().exports().stream()
            .filter(export -> !export.isQualified())
            .map(ModuleDescriptor.Exports::source)
            .collect(Collectors.toCollection(TreeSet::new));

    Reached reached = new Reached();
    publicTypes().forEach(reached::add);

    assertEquals(reached.packages(), exported);
  }

  @Test
  void keepsReadersStatisticsAndQueueingToItself() throws Exception {
    Set<String> exported =
        descriptor().exports().stream()
            .map(ModuleDescriptor.Exports::source)
            .collect(Collectors.toSet());

    for (String internal :
        List.of(
            "io.gcdiag.read.gclog",
            "io.gcdiag.read.jfr",
            "io.gcdiag.stats",
            "io.gcdiag.causes.memory")) {
      assertTrue(!exported.contains(internal), internal + " is exported");
    }
  }

  private static ModuleDescriptor descriptor() throws Exception {
    try (InputStream in = Files.newInputStream(CLASSES.resolve("module-info.class"))) {
      return ModuleDescriptor.read(in);
    }
  }

  /** Public types of the packages that callers begin with. */
  private static List<Class<?>> publicTypes() throws Exception {
    List<Class<?>> types = new ArrayList<>();
    for (String start : List.of("io.gcdiag", "io.gcdiag.fleet")) {
      try (Stream<Path> files = Files.list(CLASSES.resolve(start.replace('.', '/')))) {
        List<String> names =
            files
                .map(file -> file.getFileName().toString())
                .filter(name -> name.endsWith(".class") && !name.equals("package-info.class"))
                .map(name -> start + "." + name.substring(0, name.length() - ".class".length()))
                .sorted()
                .toList();
        for (String name : names) {
          types.add(Class.forName(name));
        }
      }
    }
    return types.stream().filter(type -> Modifier.isPublic(type.getModifiers())).toList();
  }

  /** Types of this project that a caller meets, from one type to the next. */
  private static final class Reached {

    private final Set<Class<?>> types = new HashSet<>();
    private final Deque<Class<?>> open = new ArrayDeque<>();

    void add(Type type) {
      meet(type);
      while (!open.isEmpty()) {
        follow(open.remove());
      }
    }

    Set<String> packages() {
      return types.stream()
          .map(Class::getPackageName)
          .collect(Collectors.toCollection(TreeSet::new));
    }

    private void meet(Type... met) {
      for (Type type : met) {
        if (type instanceof Class<?> known) {
          meetClass(known);
        } else if (type instanceof ParameterizedType generic) {
          meet(generic.getRawType());
          meet(generic.getActualTypeArguments());
        } else if (type instanceof WildcardType wildcard) {
          meet(wildcard.getUpperBounds());
          meet(wildcard.getLowerBounds());
        } else if (type instanceof GenericArrayType array) {
          meet(array.getGenericComponentType());
        } else if (type instanceof TypeVariable<?> variable) {
          // A bound may name the variable again.
          Stream.of(variable.getBounds()).filter(Class.class::isInstance).forEach(this::meet);
        }
      }
    }

    private void meetClass(Class<?> type) {
      if (type.isArray()) {
        meet(type.getComponentType());
      } else if (type.getName().startsWith("io.gcdiag.") && types.add(type)) {
        open.add(type);
      }
    }

    private void follow(Class<?> type) {
      if (type.getGenericSuperclass() != null) {
        meet(type.getGenericSuperclass());
      }
      meet(type.getGenericInterfaces());
      if (type.isSealed()) {
        meet(type.getPermittedSubclasses());
      }
      for (Method method : type.getDeclaredMethods()) {
        if (isVisible(method.getModifiers()) && !method.isSynthetic()) {
          meet(method.getGenericReturnType());
          meetParameters(method);
        }
      }
      for (Constructor<?> constructor : type.getDeclaredConstructors()) {
        if (isVisible(constructor.getModifiers()) && !constructor.isSynthetic()) {
          meetParameters(constructor);
        }
      }
      for (Field field : type.getDeclaredFields()) {
        if (isVisible(field.getModifiers())) {
          meet(field.getGenericType());
        }
      }
      for (Class<?> nested : type.getDeclaredClasses()) {
        if (isVisible(nested.getModifiers())) {
          meet(nested);
        }
      }
    }

    private void meetParameters(Executable executable) {
      meet(executable.getGenericParameterTypes());
      meet(executable.getGenericExceptionTypes());
    }

    private static boolean isVisible(int modifiers) {
      return Modifier.isPublic(modifiers) || Modifier.isProtected(modifiers);
    }
  }
}
