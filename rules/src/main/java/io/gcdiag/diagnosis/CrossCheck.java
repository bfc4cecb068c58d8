package io.gcdiag.diagnosis;

/**
 * One fact as told by two sources.
 *
 * @param fact what both speak of, with its unit
 * @param sourceA the first source
 * @param valueA what it says
 * @param sourceB the second source
 * @param valueB what it says
 * @param text both values for people, such as {@code 187 and 189 threads}
 * @param agrees whether they agree within the tolerance that {@code tolerance} states
 * @param tolerance how far apart they may be, in words
 */
public record CrossCheck(
    String fact,
    String sourceA,
    double valueA,
    String sourceB,
    double valueB,
    String text,
    boolean agrees,
    String tolerance) {}
