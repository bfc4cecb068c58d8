import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.commons.GeneratorAdapter;
import org.objectweb.asm.commons.JSRInlinerAdapter;
import org.objectweb.asm.commons.Method;

/** Rewrites the classes in a jar so that a JVM with an archive of them starts faster. */
public final class PrepareClasses {

  /** The first version of which every class says the types on its stack, as the archive asks. */
  private static final int FIRST_KEPT = Opcodes.V1_7;

  /** Where a class file bears its version. */
  private static final int MAJOR_VERSION = 7;

  /** Lambdas of libraries are few. */
  private static final String OURS = "io/gcdiag/";

  /** Rewrites the jar that is the only argument. */
  public static void main(String[] args) throws IOException {
    Path jar = Path.of(args[0]);
    Path prepared = jar.resolveSibling(jar.getFileName() + ".prepared");
    try (URLClassLoader types = new URLClassLoader(new URL[] {jar.toUri().toURL()});
        JarFile from = new JarFile(jar.toFile());
        JarOutputStream to = new JarOutputStream(Files.newOutputStream(prepared))) {
      Map<String, byte[]> contents = new LinkedHashMap<>();
      Lambdas lambdas = new Lambdas(contents);
      for (JarEntry entry : Collections.list(from.entries())) {
        byte[] content;
        try (InputStream in = from.getInputStream(entry)) {
          content = in.readAllBytes();
        }
        boolean code = entry.getName().endsWith(".class");
        if (code && content[MAJOR_VERSION] < FIRST_KEPT) {
          content = Raised.of(content, types);
        } else if (code && entry.getName().startsWith(OURS)) {
          content = lambdas.replaced(content);
        }
        contents.put(entry.getName(), content);
      }
      lambdas.join();
      long time = from.getEntry(JarFile.MANIFEST_NAME).getTime();
      for (Map.Entry<String, byte[]> content : contents.entrySet()) {
        JarEntry entry = new JarEntry(content.getKey());
        entry.setTime(time);
        to.putNextEntry(entry);
        to.write(content.getValue());
        to.closeEntry();
      }
    }
    Files.move(prepared, jar, StandardCopyOption.REPLACE_EXISTING);
  }
}

/**
 * Raises the old classes of libraries to Java 8. Those of picocli and commons-math are of Java 5,
 * which no archive of classes takes (the JVM keeps there what it has checked, and checks these in
 * an old way that loads other classes), so that each start would load and check them one by one.
 */
final class Raised extends ClassVisitor {

  private Raised(ClassVisitor to) {
    super(Opcodes.ASM9, to);
  }

  static byte[] of(byte[] content, ClassLoader types) {
    ClassWriter writer =
        new ClassWriter(ClassWriter.COMPUTE_FRAMES) {
          @Override
          protected ClassLoader getClassLoader() {
            return types;
          }
        };
    new ClassReader(content).accept(new Raised(writer), ClassReader.SKIP_FRAMES);
    return writer.toByteArray();
  }

  @Override
  public void visit(
      int version, int access, String name, String sig, String parent, String[] faces) {
    super.visit(Opcodes.V1_8, access, name, sig, parent, faces);
  }

  @Override
  public MethodVisitor visitMethod(
      int access, String name, String type, String sig, String[] thrown) {
    MethodVisitor to = super.visitMethod(access, name, type, sig, thrown);
    // Calls inside of a method, of which Java 5 made try-finally, are none since Java 7.
    return new JSRInlinerAdapter(to, access, name, type, sig, thrown);
  }
}

/**
 * Makes classes of lambdas. JDK 17 keeps the class of a lambda in the archive, but not what links
 * the lambda to it: that runs, mostly interpreted, for each of some 2,500 lambdas at each start, a
 * tenth of the CPU for a small incident. A class of an archive it just maps.
 */
final class Lambdas {

  private final Map<String, byte[]> contents;

  /** The classes that were made, by the outermost class whose private methods they call. */
  private final Map<String, List<String>> members = new TreeMap<>();

  Lambdas(Map<String, byte[]> contents) {
    this.contents = contents;
  }

  byte[] replaced(byte[] content) {
    ClassReader reader = new ClassReader(content);
    ClassWriter writer = new ClassWriter(0);
    LambdaHost host = new LambdaHost(reader.getClassName(), writer);
    reader.accept(host, 0);
    for (LambdaClass made : host.made.values()) {
      contents.put(made.own.getInternalName() + ".class", made.content(host.nest));
      members
          .computeIfAbsent(host.nest, any -> new ArrayList<>())
          .add(made.own.getInternalName());
    }
    return writer.toByteArray();
  }

  /** Lets the new classes call private methods. */
  void join() {
    members.forEach(
        (host, joined) -> {
          ClassReader reader = new ClassReader(contents.get(host + ".class"));
          ClassWriter writer = new ClassWriter(reader, 0);
          reader.accept(writer, 0);
          joined.forEach(writer::visitNestMember);
          contents.put(host + ".class", writer.toByteArray());
        });
  }
}

/** A class with lambdas, for which it asks the classes made of them. */
final class LambdaHost extends ClassVisitor {

  /** By what a lambda is for and what it keeps. */
  final Map<String, LambdaClass> made = new LinkedHashMap<>();

  /** The outermost class. */
  String nest;

  private final String name;

  LambdaHost(String name, ClassVisitor to) {
    super(Opcodes.ASM9, to);
    this.name = name;
    nest = name;
  }

  @Override
  public void visitNestHost(String host) {
    nest = host;
    super.visitNestHost(host);
  }

  @Override
  public MethodVisitor visitMethod(
      int access, String method, String type, String sig, String[] thrown) {
    MethodVisitor to = super.visitMethod(access, method, type, sig, thrown);
    return new MethodVisitor(Opcodes.ASM9, to) {
      @Override
      public void visitInvokeDynamicInsn(String call, String site, Handle by, Object... args) {
        if (RecordMethods.replace(mv, call, by, args)) {
          return;
        }
        // Those that are serializable or have several types are linked by another method.
        if (!by.getOwner().equals("java/lang/invoke/LambdaMetafactory")
            || !by.getName().equals("metafactory")) {
          super.visitInvokeDynamicInsn(call, site, by, args);
          return;
        }
        Method erased = new Method(call, ((Type) args[0]).getDescriptor());
        LambdaClass lambda =
            made.computeIfAbsent(
                site + erased, any -> new LambdaClass(name + "$L" + made.size(), erased, site));
        lambda.add((Handle) args[1], (Type) args[2]);
        super.visitLdcInsn(lambda.count() - 1);
        super.visitMethodInsn(
            Opcodes.INVOKESTATIC,
            lambda.own.getInternalName(),
            LambdaClass.OF,
            lambda.of.getDescriptor(),
            false);
      }

      @Override
      public void visitMaxs(int stack, int locals) {
        super.visitMaxs(stack + RecordMethods.STACK, locals);
      }
    };
  }
}

/**
 * One class for all lambdas of a class that have the same type and keep values of the same types:
 * it keeps which of them it is as well. One for each lambda would make the jar larger by a tenth.
 */
final class LambdaClass {

  static final String OF = "of";

  private static final Type OBJECT = Type.getType(Object.class);

  /** The number of the lambda, behind the values that it keeps. */
  private static final String NUMBER = "number";

  final Type own;

  /** Makes one. */
  final Method of;

  private final Method erased;

  /** What is kept, and the number. */
  private final Type[] kept;

  private final List<Handle> bodies = new ArrayList<>();

  /** The types of arguments and result that the caller sees. */
  private final List<Type> seen = new ArrayList<>();

  LambdaClass(String name, Method erased, String site) {
    own = Type.getObjectType(name);
    this.erased = erased;
    kept =
        Stream.concat(Stream.of(Type.getArgumentTypes(site)), Stream.of(Type.INT_TYPE))
            .toArray(Type[]::new);
    of = new Method(OF, Type.getReturnType(site), kept);
  }

  void add(Handle body, Type seenTypes) {
    bodies.add(body);
    seen.add(seenTypes);
  }

  int count() {
    return bodies.size();
  }

  byte[] content(String nest) {
    ClassWriter to = new ClassWriter(ClassWriter.COMPUTE_FRAMES);
    String type = of.getReturnType().getInternalName();
    int access = Opcodes.ACC_FINAL | Opcodes.ACC_SUPER | Opcodes.ACC_SYNTHETIC;
    to.visit(
        Opcodes.V17,
        access,
        own.getInternalName(),
        null,
        OBJECT.getInternalName(),
        new String[] {type});
    to.visitNestHost(nest);
    Method make = new Method("<init>", Type.VOID_TYPE, kept);
    GeneratorAdapter maker = method(to, Opcodes.ACC_PRIVATE, make);
    maker.loadThis();
    maker.invokeConstructor(OBJECT, new Method("<init>", "()V"));
    for (int i = 0; i < kept.length; i++) {
      int field = Opcodes.ACC_PRIVATE | Opcodes.ACC_FINAL;
      to.visitField(field, field(i), kept[i].getDescriptor(), null, null);
      maker.loadThis();
      maker.loadArg(i);
      maker.putField(own, field(i), kept[i]);
    }
    end(maker);
    GeneratorAdapter factory = method(to, Opcodes.ACC_STATIC, of);
    factory.newInstance(own);
    factory.dup();
    factory.loadArgs();
    factory.invokeConstructor(own, make);
    end(factory);
    GeneratorAdapter called = method(to, Opcodes.ACC_PUBLIC, erased);
    Label[] labels = Stream.generate(Label::new).limit(count()).toArray(Label[]::new);
    load(called, kept.length - 1);
    called.visitTableSwitchInsn(0, count() - 1, labels[0], labels);
    for (int i = 0; i < count(); i++) {
      called.mark(labels[i]);
      call(called, bodies.get(i), seen.get(i));
      called.returnValue();
    }
    called.endMethod();
    return to.toByteArray();
  }

  private static GeneratorAdapter method(ClassVisitor to, int access, Method method) {
    return new GeneratorAdapter(access, method, null, null, to);
  }

  private static void end(GeneratorAdapter code) {
    code.returnValue();
    code.endMethod();
  }

  private String field(int i) {
    return i == kept.length - 1 ? NUMBER : "kept" + i;
  }

  private void load(GeneratorAdapter code, int i) {
    code.loadThis();
    code.getField(own, field(i), kept[i]);
  }

  /** Calls the body with what is kept and the arguments, each as the type that it wants. */
  private void call(GeneratorAdapter code, Handle body, Type seenTypes) {
    Type owner = Type.getObjectType(body.getOwner());
    boolean makes = body.getTag() == Opcodes.H_NEWINVOKESPECIAL;
    boolean isStatic = body.getTag() == Opcodes.H_INVOKESTATIC;
    List<Type> wanted = new ArrayList<>(List.of(Type.getArgumentTypes(body.getDesc())));
    if (makes) {
      code.newInstance(owner);
      code.dup();
    } else if (!isStatic) {
      wanted.add(0, owner);
    }
    int values = kept.length - 1;
    for (int i = 0; i < values; i++) {
      load(code, i);
      convert(code, kept[i], wanted.get(i));
    }
    Type[] given = erased.getArgumentTypes();
    Type[] arguments = seenTypes.getArgumentTypes();
    for (int i = 0; i < given.length; i++) {
      code.loadArg(i);
      convert(code, given[i], arguments[i]);
      convert(code, arguments[i], wanted.get(values + i));
    }
    int way =
        makes
            ? Opcodes.INVOKESPECIAL
            : isStatic
                ? Opcodes.INVOKESTATIC
                : body.isInterface() ? Opcodes.INVOKEINTERFACE : Opcodes.INVOKEVIRTUAL;
    code.visitMethodInsn(
        way, body.getOwner(), body.getName(), body.getDesc(), body.isInterface());
    Type result = makes ? owner : Type.getReturnType(body.getDesc());
    if (erased.getReturnType() != Type.VOID_TYPE) {
      convert(code, result, seenTypes.getReturnType());
    } else if (result.getSize() == 2) {
      code.pop2();
    } else if (result != Type.VOID_TYPE) {
      code.pop();
    }
  }

  /** As the JVM converts between the types of a lambda and its body. */
  private static void convert(GeneratorAdapter code, Type from, Type to) {
    boolean number = from.getSort() < Type.ARRAY;
    if (to.getSort() < Type.ARRAY) {
      if (number) {
        code.cast(from, to);
      } else {
        code.unbox(to);
      }
    } else if (number) {
      code.valueOf(from);
    } else if (!from.equals(to)) {
      code.checkCast(to);
    }
  }
}

/**
 * Writes {@code equals} and {@code hashCode} of records as code. The JVM puts them together of
 * method handles when they are first called, for which it makes classes and compiles itself.
 */
final class RecordMethods {

  /** What they need on the stack: two numbers of eight bytes. */
  static final int STACK = 4;

  private static final String MAKER = "java/lang/runtime/ObjectMethods";
  private static final String OBJECTS = "java/util/Objects";

  /** As the JDK does, so that tables of records are in the same order. */
  private static final int FACTOR = 31;

  private RecordMethods() {}

  /** Returns whether it was one of the two. */
  static boolean replace(MethodVisitor code, String method, Handle by, Object... args) {
    if (!by.getOwner().equals(MAKER) || method.equals("toString")) {
      return false;
    }
    Type own = (Type) args[0];
    List<Handle> components = Stream.of(args).skip(2).map(Handle.class::cast).toList();
    if (method.equals("equals")) {
      equal(code, own, components);
    } else {
      hash(code, components);
    }
    return true;
  }

  /** In the place of a call that leaves the sum on the stack. */
  private static void hash(MethodVisitor code, List<Handle> components) {
    code.visitInsn(Opcodes.POP);
    code.visitInsn(Opcodes.ICONST_0);
    for (Handle component : components) {
      code.visitIntInsn(Opcodes.BIPUSH, FACTOR);
      code.visitInsn(Opcodes.IMUL);
      load(code, 0, component);
      Type type = Type.getType(component.getDesc());
      boolean object = type.getSort() >= Type.ARRAY;
      String owner = object ? OBJECTS : box(type);
      String taken = object ? "Ljava/lang/Object;" : type.getDescriptor();
      code.visitMethodInsn(Opcodes.INVOKESTATIC, owner, "hashCode", "(" + taken + ")I", false);
      code.visitInsn(Opcodes.IADD);
    }
  }

  /** In the place of a call that leaves 0 or 1 on the stack, which is returned. */
  private static void equal(MethodVisitor code, Type own, List<Handle> components) {
    Label same = new Label();
    Label other = new Label();
    code.visitJumpInsn(Opcodes.IF_ACMPEQ, same);
    code.visitVarInsn(Opcodes.ALOAD, 1);
    code.visitTypeInsn(Opcodes.INSTANCEOF, own.getInternalName());
    code.visitJumpInsn(Opcodes.IFEQ, other);
    for (Handle component : components) {
      load(code, 0, component);
      load(code, 1, component);
      Type type = Type.getType(component.getDesc());
      switch (type.getSort()) {
        case Type.ARRAY, Type.OBJECT -> {
          code.visitMethodInsn(
              Opcodes.INVOKESTATIC,
              OBJECTS,
              "equals",
              "(Ljava/lang/Object;Ljava/lang/Object;)Z",
              false);
          code.visitJumpInsn(Opcodes.IFEQ, other);
        }
        case Type.LONG, Type.FLOAT, Type.DOUBLE -> {
          String two = "(" + type + type + ")I";
          code.visitMethodInsn(Opcodes.INVOKESTATIC, box(type), "compare", two, false);
          code.visitJumpInsn(Opcodes.IFNE, other);
        }
        default -> code.visitJumpInsn(Opcodes.IF_ICMPNE, other);
      }
    }
    code.visitLabel(same);
    code.visitFrame(Opcodes.F_SAME, 0, null, 0, null);
    code.visitInsn(Opcodes.ICONST_1);
    code.visitInsn(Opcodes.IRETURN);
    code.visitLabel(other);
    code.visitFrame(Opcodes.F_SAME, 0, null, 0, null);
    code.visitInsn(Opcodes.ICONST_0);
  }

  private static void load(MethodVisitor code, int of, Handle component) {
    code.visitVarInsn(Opcodes.ALOAD, of);
    if (of > 0) {
      code.visitTypeInsn(Opcodes.CHECKCAST, component.getOwner());
    }
    code.visitFieldInsn(
        Opcodes.GETFIELD, component.getOwner(), component.getName(), component.getDesc());
  }

  private static String box(Type type) {
    return switch (type.getSort()) {
      case Type.INT -> "java/lang/Integer";
      case Type.CHAR -> "java/lang/Character";
      default ->
          "java/lang/"
              + type.getClassName().substring(0, 1).toUpperCase(java.util.Locale.ROOT)
              + type.getClassName().substring(1);
    };
  }
}
