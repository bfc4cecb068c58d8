package io.gcdiag.evidence.jvm;

import java.util.Comparator;

/**
 * A place in the code at which a thread was seen.
 *
 * @param method the method that was executing, such as {@code java.util.regex.Pattern.matcher}
 * @param caller the innermost method outside the JDK, which may be the same
 * @param requestThread whether the thread serves requests, by its stack or name
 * @param nativeCode whether it was executing native code
 */
public record CodeSite(String method, String caller, boolean requestThread, boolean nativeCode)
    implements Comparable<CodeSite> {

  private static final Comparator<CodeSite> ORDER =
      Comparator.comparing(CodeSite::method)
          .thenComparing(CodeSite::caller)
          .thenComparing(CodeSite::requestThread)
          .thenComparing(CodeSite::nativeCode);

  @Override
  public int compareTo(CodeSite other) {
    return ORDER.compare(this, other);
  }
}
