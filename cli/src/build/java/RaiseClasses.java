import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collections;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.commons.JSRInlinerAdapter;

/**
 * Raises the old classes in a jar to Java 8. Those of picocli and commons-math are of Java 5, which
 * no archive of classes takes (the JVM keeps there what it has checked, and checks these in an old
 * way that loads other classes), so that each start would load and check them one by one.
 */
public final class RaiseClasses {

  /** The first version of which every class says the types on its stack, as the archive asks. */
  private static final int FIRST_KEPT = Opcodes.V1_7;

  private static final int RAISED = Opcodes.V1_8;

  /** Where a class file bears its version. */
  private static final int MAJOR_VERSION = 7;

  /** Rewrites the jar that is the only argument. */
  public static void main(String[] args) throws IOException {
    Path jar = Path.of(args[0]);
    Path raised = jar.resolveSibling(jar.getFileName() + ".raised");
    try (URLClassLoader types = new URLClassLoader(new URL[] {jar.toUri().toURL()});
        JarFile from = new JarFile(jar.toFile());
        JarOutputStream to = new JarOutputStream(Files.newOutputStream(raised))) {
      for (JarEntry entry : Collections.list(from.entries())) {
        byte[] content;
        try (InputStream in = from.getInputStream(entry)) {
          content = in.readAllBytes();
        }
        JarEntry copy = new JarEntry(entry.getName());
        copy.setTime(entry.getTime());
        if (entry.getName().endsWith(".class") && content[MAJOR_VERSION] < FIRST_KEPT) {
          content = raised(content, types);
        }
        to.putNextEntry(copy);
        to.write(content);
        to.closeEntry();
      }
    }
    Files.move(raised, jar, StandardCopyOption.REPLACE_EXISTING);
  }

  private static byte[] raised(byte[] content, ClassLoader types) {
    ClassWriter writer =
        new ClassWriter(ClassWriter.COMPUTE_FRAMES) {
          @Override
          protected ClassLoader getClassLoader() {
            return types;
          }
        };
    ClassVisitor raising =
        new ClassVisitor(Opcodes.ASM9, writer) {
          @Override
          public void visit(
              int version, int access, String name, String sig, String parent, String[] faces) {
            super.visit(RAISED, access, name, sig, parent, faces);
          }

          @Override
          public MethodVisitor visitMethod(
              int access, String name, String type, String sig, String[] thrown) {
            MethodVisitor to = super.visitMethod(access, name, type, sig, thrown);
            // Calls inside of a method, of which Java 5 made try-finally, are none since Java 7.
            return new JSRInlinerAdapter(to, access, name, type, sig, thrown);
          }
        };
    new ClassReader(content).accept(raising, ClassReader.SKIP_FRAMES);
    return writer.toByteArray();
  }
}
