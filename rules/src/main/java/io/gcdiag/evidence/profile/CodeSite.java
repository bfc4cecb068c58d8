package io.gcdiag.evidence.profile;

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

  @Override
  public int compareTo(CodeSite other) {
    int byMethod = method.compareTo(other.method);
    if (byMethod != 0) {
      return byMethod;
    }
    int byCaller = caller.compareTo(other.caller);
    if (byCaller != 0) {
      return byCaller;
    }
    int byThread = Boolean.compare(requestThread, other.requestThread);
    return byThread != 0 ? byThread : Boolean.compare(nativeCode, other.nativeCode);
  }
}
