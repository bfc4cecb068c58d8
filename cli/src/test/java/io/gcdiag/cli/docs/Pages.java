package io.gcdiag.cli.docs;

import io.gcdiag.fixtures.Incidents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The Markdown pages of the project, and the code that they show. */
final class Pages {

  /** The folder of the README. */
  static final Path ROOT =
      Incidents.all().get(0).getParent().getParent().getParent().toAbsolutePath().normalize();

  /** Opens and closes a block of code; indented inside a list. */
  private static final Pattern FENCE = Pattern.compile("\\s*(```+)\\s*(\\w*)\\s*");

  private static final String INDENT = "    ";

  private Pages() {}

  /** A block of code, without its indentation. The language is empty where none is given. */
  record Code(Path page, String language, List<String> lines) {

    /** Whether it shows what is typed into a shell. */
    boolean isShell() {
      return language.isEmpty() || language.equals("sh");
    }
  }

  /** All pages written by hand or generated, but for the reports of the recorded incidents. */
  static List<Path> all() throws IOException {
    List<Path> pages = new ArrayList<>();
    try (Stream<Path> files = Files.list(ROOT)) {
      files.filter(Pages::isPage).forEach(pages::add);
    }
    for (String folder : List.of("docs", "fixtures")) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
        files
            .filter(Pages::isPage)
            .filter(file -> !file.toString().contains("approved") && !inBuild(file))
            .forEach(pages::add);
      }
    }
    return pages.stream().sorted().toList();
  }

  /** The pages for users: the README and what lies below docs. */
  static List<Path> forUsers() throws IOException {
    return all().stream()
        .filter(
            page -> page.equals(ROOT.resolve("README.md")) || page.startsWith(ROOT.resolve("docs")))
        .toList();
  }

  private static boolean isPage(Path file) {
    return file.toString().endsWith(".md") && Files.isRegularFile(file);
  }

  private static boolean inBuild(Path file) {
    return ROOT.relativize(file).toString().contains("target/");
  }

  /** The blocks of code of a page: fenced, or indented by four. */
  static List<Code> code(Path page) throws IOException {
    List<Code> blocks = new ArrayList<>();
    List<String> block = new ArrayList<>();
    String fence = "";
    String language = "";
    for (String line : Files.readAllLines(page)) {
      Matcher mark = FENCE.matcher(line);
      boolean ends = !fence.isEmpty() && line.strip().equals(fence);
      if (ends || fence.isEmpty() && mark.matches()) {
        add(blocks, page, language, block);
        fence = ends ? "" : mark.group(1);
        language = ends ? "" : mark.group(2);
      } else if (!fence.isEmpty()) {
        block.add(line.strip());
      } else if (line.startsWith(INDENT)) {
        block.add(line.substring(INDENT.length()));
      } else if (!line.isBlank()) {
        add(blocks, page, language, block);
      }
    }
    add(blocks, page, language, block);
    return blocks;
  }

  private static void add(List<Code> blocks, Path page, String language, List<String> block) {
    if (!block.isEmpty()) {
      blocks.add(new Code(page, language, List.copyOf(block)));
      block.clear();
    }
  }

  /** The text of a page without its code: what may hold links and headings. */
  static List<String> prose(Path page) throws IOException {
    List<String> prose = new ArrayList<>();
    String fence = "";
    for (String line : Files.readAllLines(page)) {
      Matcher mark = FENCE.matcher(line);
      boolean ends = !fence.isEmpty() && line.strip().equals(fence);
      if (ends) {
        fence = "";
      } else if (fence.isEmpty() && mark.matches()) {
        fence = mark.group(1);
      } else if (fence.isEmpty() && !line.startsWith(INDENT)) {
        prose.add(line);
      }
    }
    return prose;
  }
}
