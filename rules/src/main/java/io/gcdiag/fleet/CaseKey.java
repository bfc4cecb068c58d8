package io.gcdiag.fleet;

/**
 * What a row is the answer to: the same key means the same answer.
 *
 * @param id the name of the case: its folder, and its first file where a folder holds several cases
 * @param digest of the inputs and of the options that change an answer, in hexadecimal digits
 * @param version of the program
 */
public record CaseKey(String id, String digest, String version) {}
