package io.gcdiag.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.InputReport.Status;
import io.gcdiag.fixtures.SampleFiles;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Inputs inside of others: packed, in archives, in what a container wrote. */
@Tag("slow")
class ArchivesTest extends IngestScene {

  @Test
  void aPackedLogIsRead() throws IOException {
    Path file = folder.resolve("gc.log.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(LOG.getBytes(StandardCharsets.UTF_8));
    }
    Timeline timeline = read(file);
    assertEquals("gc-log", only(timeline).format());
    assertEquals(3, timeline.pauses().size());
  }

  @Test
  void standardOutputIsReadAsAllThatItHolds() throws IOException {
    String noise = "2026-03-01 10:00:00 INFO an order was placed\n".repeat(3_000);
    String dump = Files.readString(SampleFiles.file("thread-dumps/jcmd-jdk17.txt"));
    Path output = Files.writeString(folder.resolve("stdout"), noise + LOG + noise + dump + noise);
    Timeline timeline = read(output);
    assertEquals(3, timeline.pauses().size());
    assertEquals(1, timeline.dumps().size());
    assertEquals(
        List.of("thread-dump", "gc-log"),
        timeline.inputs().stream().map(InputReport::format).toList());
    assertEquals(List.of(), readAs(output, "gc-log").dumps());
  }

  private Path zip(String name, String... files) throws IOException {
    Path archive = folder.resolve(name);
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(archive))) {
      for (int i = 0; i < files.length; i += 2) {
        out.putNextEntry(new ZipEntry(files[i]));
        out.write(files[i + 1].getBytes(StandardCharsets.UTF_8));
      }
    }
    return archive;
  }

  @Test
  void theFilesOfAZipArchiveAreReadInTheirPlace() throws IOException {
    String dump = Files.readString(SampleFiles.file("thread-dumps/jcmd-jdk17.txt"));
    // Without the threads' ages, which tell that it is of another JVM than the log.
    String anyTime = dump.replaceAll(" elapsed=\\S+", "");
    Timeline timeline =
        read(zip("incident.zip", "logs/gc.log", LOG, "dump.txt", anyTime, "notes.md", "# prose"));
    assertEquals(3, timeline.pauses().size());
    assertEquals(1, timeline.dumps().size());
    assertEquals(
        List.of("incident.zip/dump.txt", "incident.zip/logs/gc.log", "incident.zip/notes.md"),
        timeline.inputs().stream().map(InputReport::file).toList());
    assertEquals(Status.UNUSED, timeline.inputs().get(2).status());
  }

  @Test
  void aRecordingInAZipArchiveIsRead() throws IOException {
    Path archive = folder.resolve("recording.zip");
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(archive))) {
      out.putNextEntry(new ZipEntry("recording.jfr"));
      out.write(new byte[] {'F', 'L', 'R', 0});
    }
    InputReport report = read(archive).inputs().get(0);
    assertEquals("jfr", report.format());
    assertEquals("cut off inside its first header; nothing in it can be read", report.note());
  }

  @Test
  void aZipArchiveThatHoldsNoInputOrIsDamagedIsSaidToBeSo() throws IOException {
    List<InputReport> all = read(zip("prose.zip", "notes.md", "# prose")).inputs();
    assertEquals(1, all.size());
    InputReport empty = all.get(0);
    assertTrue(empty.note().startsWith("no input in this archive"), empty.note());
    Path cut = folder.resolve("cut.zip");
    Files.write(cut, new byte[] {'P', 'K', 3, 4, 0, 0, 0, 0});
    assertEquals(Status.UNREADABLE, read(cut).inputs().get(0).status());
  }

  @Test
  void stepsThatLeadOutOfTheArchiveAreIgnored() throws IOException {
    List<InputReport> inputs = read(zip("steps.zip", "../../etc/gc.log", LOG)).inputs();
    assertEquals(List.of(new InputReport("steps.zip/etc/gc.log", "gc-log", Status.OK, "")), inputs);
  }

  @Test
  void aZipArchiveThatUnpacksToFarMoreThanAnyLogIsRefused() throws IOException {
    Path archive = folder.resolve("bomb.zip");
    byte[] zeros = new byte[1 << 20];
    try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(archive))) {
      out.putNextEntry(new ZipEntry("gc.log"));
      for (int i = 0; i < 300; i++) {
        out.write(zeros);
      }
    }
    assertEquals(
        "unpacks to far more than any log or dump; unpack it by hand",
        read(archive).inputs().get(0).note());
  }

  @Test
  void whatDockerKeepsOfAContainersOutputIsUnwrapped() throws IOException {
    String dump = Files.readString(SampleFiles.file("thread-dumps/jcmd-jdk17.txt"));
    StringBuilder kept = new StringBuilder();
    for (String line : (LOG + dump).lines().toList()) {
      kept.append("{\"log\":\"")
          .append(line.replace("\\", "\\\\").replace("\"", "\\\"").replace("\t", "\\t"))
          .append("\\n\",\"stream\":\"stdout\",\"time\":\"2026-03-01T10:00:05.1Z\"}\n");
    }
    String text = kept.toString().replace("<", "\\u003c").replace(">", "\\u003e");
    Timeline wrapped = read(Files.writeString(folder.resolve("container-json.log"), text));
    Timeline plain = read(Files.writeString(folder.resolve("plain.log"), LOG + dump));
    assertEquals(3, wrapped.pauses().size());
    assertEquals(plain.dumps().get(0).threads(), wrapped.dumps().get(0).threads());
    assertEquals(plain.dumps().get(0).deadlocks(), wrapped.dumps().get(0).deadlocks());
  }
}
