package io.gcdiag.read.jfr;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A chunk with one event of a type of its own, put together by hand: with numbers as all JVMs write
 * them, or of full length, which the format allows and no JVM can be made to write.
 */
final class HandWrittenChunk {

  /** The time of the event, in ticks of which a second has so many. */
  static final long TICKS_PER_SECOND = 1_000_000_000L;

  /** When the chunk begins, in nanoseconds since 1970: 2026-11-21T12:00:00Z. */
  static final long START_NANOS = 1_795_262_400_000_000_000L;

  static final long START_TICKS = 5_000;

  private static final int HEADER = 68;
  private static final int METADATA = 0;
  private static final int CONSTANTS = 1;
  private static final int NAME = 50;
  private static final int EVENT = 100;
  private static final int DOUBLING = 1_000;
  private static final List<String> PRIMITIVES =
      List.of("boolean", "byte", "char", "short", "int", "long", "float", "double");
  private static final int TEXT = 40;

  private final boolean compressed;

  /** The type of what each name of the constant pool contains beside its text; 0 for nothing. */
  private final int inside;

  /** How many types without any bytes there are, each of which contains the next one twice. */
  private final int doubling;

  private final List<String> texts = new ArrayList<>();
  private ByteArrayOutputStream out = new ByteArrayOutputStream();

  private HandWrittenChunk(boolean compressed, int inside, int doubling) {
    this.compressed = compressed;
    this.inside = inside;
    this.doubling = doubling;
  }

  /** Its bytes. */
  static byte[] bytes(boolean compressed) {
    return new HandWrittenChunk(compressed, 0, 0).write();
  }

  /** One that declares that each name contains a name, and so on. */
  static byte[] ofTypeInItself() {
    return new HandWrittenChunk(true, NAME, 0).write();
  }

  /** One with names that contain the first of so many types, each containing the next one twice. */
  static byte[] ofDoublingTypes(int types) {
    return new HandWrittenChunk(true, DOUBLING, types).write();
  }

  private byte[] write() {
    byte[] event = event(EVENT, this::content);
    byte[] constants = event(CONSTANTS, this::constants);
    byte[] metadata = event(METADATA, this::metadata);
    int size = HEADER + event.length + constants.length + metadata.length;
    ByteBuffer chunk = ByteBuffer.allocate(size);
    chunk.put(new byte[] {'F', 'L', 'R', 0}).putShort((short) 2).putShort((short) 1).putLong(size);
    chunk.putLong(HEADER + event.length).putLong(HEADER + event.length + constants.length);
    chunk.putLong(START_NANOS).putLong(TICKS_PER_SECOND).putLong(START_TICKS);
    chunk.putLong(TICKS_PER_SECOND).put(new byte[] {0, 0, 0, (byte) (compressed ? 1 : 0)});
    return chunk.put(event).put(constants).put(metadata).array();
  }

  /** Size and type before the content; the size of a compressed one is padded to four bytes. */
  private byte[] event(long type, Runnable content) {
    out = new ByteArrayOutputStream();
    number(type, Long.BYTES);
    content.run();
    byte[] body = out.toByteArray();
    int size = body.length + Integer.BYTES;
    ByteBuffer whole = ByteBuffer.allocate(size);
    if (compressed) {
      for (int shift = 0; shift < 21; shift += 7) {
        whole.put((byte) (size >> shift & 0x7f | 0x80));
      }
      whole.put((byte) (size >> 21));
    } else {
      whole.putInt(size);
    }
    return whole.put(body).array();
  }

  private void content() {
    number(START_TICKS + 2_000, Long.BYTES);
    number(1_500, Long.BYTES);
    number(7, Long.BYTES);
    text("na\u00efve");
    number(-123_456, Integer.BYTES);
    number(-2, Short.BYTES);
    out.write(0x9c);
    out.write(1);
    number('x', Character.BYTES);
    out.writeBytes(ByteBuffer.allocate(Float.BYTES).putFloat(1.5f).array());
    out.writeBytes(ByteBuffer.allocate(Double.BYTES).putDouble(-2.25).array());
  }

  private void constants() {
    number(START_TICKS, Long.BYTES);
    number(0, Long.BYTES);
    number(0, Long.BYTES);
    out.write(0);
    number(1, Integer.BYTES);
    number(NAME, Long.BYTES);
    number(2, Integer.BYTES);
    number(7, Long.BYTES);
    text("seven");
    number(8, Long.BYTES);
    text("eight");
  }

  private void metadata() {
    ByteArrayOutputStream before = out;
    out = new ByteArrayOutputStream();
    tree();
    byte[] tree = out.toByteArray();
    out = before;
    number(START_TICKS, Long.BYTES);
    number(0, Long.BYTES);
    number(1, Long.BYTES);
    number(texts.size(), Integer.BYTES);
    List.copyOf(texts).forEach(this::text);
    out.writeBytes(tree);
  }

  private void tree() {
    element(2, "root");
    element(PRIMITIVES.size() + 3 + doubling, "metadata");
    for (int i = 0; i < PRIMITIVES.size(); i++) {
      element(0, "class", "id", Integer.toString(i + 1), "name", PRIMITIVES.get(i));
    }
    element(0, "class", "id", Integer.toString(TEXT), "name", "java.lang.String");
    element(
        inside == 0 ? 1 : 2,
        "class",
        "id",
        Integer.toString(NAME),
        "name",
        "demo.Name",
        "simpleType",
        "true");
    field("value", TEXT);
    if (inside != 0) {
      field("inside", inside);
    }
    for (int i = 0; i < doubling; i++) {
      boolean last = i == doubling - 1;
      element(last ? 0 : 2, "class", "id", Integer.toString(DOUBLING + i), "name", "demo.D" + i);
      if (!last) {
        field("left", DOUBLING + i + 1);
        field("right", DOUBLING + i + 1);
      }
    }
    element(
        11,
        "class",
        "id",
        Integer.toString(EVENT),
        "name",
        "demo.Event",
        "superType",
        "jdk.jfr.Event");
    field("startTime", of("long"));
    field("duration", of("long"));
    element(0, "field", "name", "named", "class", Integer.toString(NAME), "constantPool", "true");
    field("text", TEXT);
    field("int", of("int"));
    field("short", of("short"));
    field("byte", of("byte"));
    field("boolean", of("boolean"));
    field("char", of("char"));
    field("float", of("float"));
    field("double", of("double"));
    element(0, "region", "gmtOffset", "0", "locale", "en");
  }

  private static int of(String primitive) {
    return PRIMITIVES.indexOf(primitive) + 1;
  }

  private void field(String name, int type) {
    element(0, "field", "name", name, "class", Integer.toString(type));
  }

  private void element(int children, String name, String... attributes) {
    number(place(name), Integer.BYTES);
    number(attributes.length / 2, Integer.BYTES);
    for (String attribute : attributes) {
      number(place(attribute), Integer.BYTES);
    }
    number(children, Integer.BYTES);
  }

  private int place(String text) {
    if (!texts.contains(text)) {
      texts.add(text);
    }
    return texts.indexOf(text);
  }

  private void text(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.write(3);
    number(bytes.length, Integer.BYTES);
    out.writeBytes(bytes);
  }

  /** Seven bits a byte and eight in the ninth, or big endian of so many bytes. */
  private void number(long value, int length) {
    if (!compressed) {
      for (int shift = (length - 1) * Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
        out.write((int) (value >> shift));
      }
      return;
    }
    long rest = length == Long.BYTES ? value : value & (1L << length * Byte.SIZE) - 1;
    for (int i = 0; i < 8 && (rest & ~0x7fL) != 0; i++) {
      out.write((int) (rest & 0x7f | 0x80));
      rest >>>= 7;
    }
    out.write((int) rest);
  }
}
