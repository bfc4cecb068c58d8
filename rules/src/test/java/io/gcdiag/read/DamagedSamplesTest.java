package io.gcdiag.read;

import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.Timeline;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every sample file, cut and corrupted at many places: it is read, read in part or refused in one
 * line, and a cut file never tells of more than the whole. The places follow from the file's name,
 * so that every run tries the same; {@code -Dgcdiag.damage.places=200} tries more of them.
 */
@Tag("slow")
@Tag("reading")
class DamagedSamplesTest {

  private static final int PLACES = Integer.getInteger("gcdiag.damage.places", 2);

  /** Every grammar shows in its first kilobytes; the rest of a sample is more of the same. */
  private static final int LENGTH = 16 * 1024;

  private static final int LONGEST_STRETCH = 200;

  /** No limit on speed: a reader that hangs would do so for ever. */
  private static final Duration NO_HANG = Duration.ofMinutes(5);

  /** A diagnosis takes longer than reading a sample; one of so many is enough here. */
  private static final int DIAGNOSED = 16;

  @TempDir Path folder;

  static Stream<Path> samples() {
    return Stream.of(
            "gc-logs",
            "thread-dumps",
            "class-histograms",
            "jvm-info",
            "tools",
            "load",
            "metrics",
            "app-logs",
            "crash-reports",
            "packed")
        .flatMap(Seeds::samples)
        .filter(sample -> sample.toFile().length() > 0);
  }

  @ParameterizedTest
  @MethodSource("samples")
  void aDamagedSampleIsReadInPartOrRefusedInOneLine(Path sample) {
    AnyBytes any = new AnyBytes(folder);
    Random random = new Random(sample.getFileName().toString().hashCode());
    byte[] whole = Seeds.unpacked(sample);
    byte[] content = Arrays.copyOf(whole, Math.min(LENGTH, whole.length));
    Amounts all = Amounts.of(any.asInput(content));
    assertTimeoutPreemptively(
        NO_HANG,
        () -> {
          for (int i = 0; i < PLACES; i++) {
            byte[] cut = Arrays.copyOf(content, 1 + at(content, random));
            Amounts some = Amounts.of(any.asInput(cut));
            assertTrue(
                some.isWithin(all), () -> "cut at " + cut.length + ": " + some + " of " + all);
            for (byte[] damaged : damaged(content, random)) {
              Timeline timeline = any.asInput(damaged);
              if (random.nextInt(DIAGNOSED) == 0) {
                AnyBytes.diagnose(timeline);
              }
            }
          }
        });
  }

  /** What there is of each kind of evidence. */
  private record Amounts(long pauses, long threads, long histograms, long runs, long series) {

    static Amounts of(Timeline timeline) {
      return new Amounts(
          timeline.pauses().size(),
          timeline.dumps().stream().mapToLong(dump -> dump.threads().size()).sum(),
          timeline.snapshots().histograms().size(),
          timeline.requests().stats().stream().count(),
          timeline.metrics().size());
    }

    boolean isWithin(Amounts all) {
      return pauses <= all.pauses
          && threads <= all.threads
          && histograms <= all.histograms
          && runs <= all.runs
          && series <= all.series;
    }
  }

  private static List<byte[]> damaged(byte[] content, Random random) {
    byte[] flipped = content.clone();
    flipped[at(content, random)] ^= (byte) (1 << random.nextInt(8));

    byte[] noisy = content.clone();
    byte[] noise = new byte[1 + random.nextInt(LONGEST_STRETCH)];
    random.nextBytes(noise);
    int from = at(content, random);
    System.arraycopy(noise, 0, noisy, from, Math.min(noise.length, content.length - from));

    byte[] zeroTail = content.clone();
    Arrays.fill(zeroTail, at(content, random), content.length, (byte) 0);

    byte[] repeated = content.clone();
    int source = at(content, random);
    int target = at(content, random);
    int length = Math.min(LONGEST_STRETCH, content.length - Math.max(source, target));
    System.arraycopy(content, source, repeated, target, length);

    byte[] digits = content.clone();
    for (int i = at(content, random), left = 8; i < digits.length && left > 0; i++) {
      if (digits[i] >= '0' && digits[i] <= '9') {
        digits[i] = (byte) ('0' + random.nextInt(10));
        left--;
      }
    }

    byte[] packed = Seeds.gzip(content);
    byte[] packedFlipped = packed.clone();
    packedFlipped[at(packed, random)] ^= (byte) (1 << random.nextInt(8));
    byte[] zipped = Seeds.zip("sample", content);
    return List.of(
        flipped,
        noisy,
        zeroTail,
        repeated,
        digits,
        Arrays.copyOf(packed, at(packed, random)),
        packedFlipped,
        Arrays.copyOf(zipped, at(zipped, random)));
  }

  private static int at(byte[] content, Random random) {
    return random.nextInt(content.length);
  }
}
