package io.gcdiag.cli.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Every link of a page to a file or a heading of the project leads there. */
class LinksTest {

  private static final Pattern LINK = Pattern.compile("\\]\\(([^()\\s]+)\\)");
  private static final Pattern INLINE_CODE = Pattern.compile("`[^`]*`");
  private static final Pattern HEADING = Pattern.compile("#{1,6} +(.*)");
  private static final Pattern ELSEWHERE = Pattern.compile("[a-z]+:.*");

  private final Map<Path, Set<String>> anchors = new HashMap<>();

  @Test
  void everyLinkLeadsToAFileAndAHeading() throws IOException {
    List<String> broken = new ArrayList<>();
    int links = 0;
    for (Path page : Pages.all()) {
      for (String line : Pages.prose(page)) {
        Matcher link = LINK.matcher(INLINE_CODE.matcher(line).replaceAll("code"));
        while (link.find()) {
          if (!ELSEWHERE.matcher(link.group(1)).matches()) {
            links++;
            if (!leadsSomewhere(page, link.group(1))) {
              broken.add(Pages.ROOT.relativize(page) + ": " + link.group(1));
            }
          }
        }
      }
    }
    assertEquals(List.of(), broken);
    assertTrue(links > 500, "only " + links + " links were found");
  }

  private boolean leadsSomewhere(Path page, String link) throws IOException {
    int hash = link.indexOf('#');
    String path = hash < 0 ? link : link.substring(0, hash);
    Path target = path.isEmpty() ? page : page.resolveSibling(path).normalize();
    if (!Files.exists(target) || !target.startsWith(Pages.ROOT)) {
      return false;
    }
    return hash < 0 || anchors(target).contains(link.substring(hash + 1));
  }

  private Set<String> anchors(Path page) throws IOException {
    if (!anchors.containsKey(page)) {
      Set<String> found = new HashSet<>();
      for (String line : Pages.prose(page)) {
        Matcher heading = HEADING.matcher(line);
        if (heading.matches()) {
          String anchor = anchor(heading.group(1));
          String numbered = anchor;
          for (int i = 1; !found.add(numbered); i++) {
            numbered = anchor + "-" + i;
          }
        }
      }
      anchors.put(page, found);
    }
    return anchors.get(page);
  }

  /** As GitHub and GitLab make it of a heading. */
  private static String anchor(String heading) {
    return heading
        .toLowerCase(Locale.ROOT)
        .replaceAll("\\]\\([^)]*\\)", "")
        .replaceAll("[^\\p{L}\\p{N} _-]", "")
        .strip()
        .replace(' ', '-');
  }

  @Test
  void everyPageForUsersIsReachedFromTheReadme() throws IOException {
    Set<Path> reached = new HashSet<>();
    follow(Pages.ROOT.resolve("README.md"), reached);
    List<Path> lost = Pages.forUsers().stream().filter(page -> !reached.contains(page)).toList();
    assertEquals(List.of(), lost);
  }

  /** A link to a folder leads to all pages in it. */
  private static void follow(Path page, Set<Path> reached) throws IOException {
    if (Files.isDirectory(page)) {
      for (Path other : Pages.all()) {
        if (page.equals(other.getParent())) {
          follow(other, reached);
        }
      }
    }
    if (!Files.isRegularFile(page) || !page.toString().endsWith(".md") || !reached.add(page)) {
      return;
    }
    for (String line : Pages.prose(page)) {
      Matcher link = LINK.matcher(line);
      while (link.find()) {
        follow(page.resolveSibling(link.group(1).replaceFirst("#.*", "")).normalize(), reached);
      }
    }
  }
}
