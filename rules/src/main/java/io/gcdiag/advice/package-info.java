/**
 * Where a suspected cause is in code and configuration, and the exact edit that deals with it. Uses
 * what is known and what was found; judges nothing.
 */
package io.gcdiag.advice;
