package io.gcdiag.books;

import io.gcdiag.evidence.time.Signal;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The causes that a rule may judge, and the signals that it needs. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface Judges {

  /** The root causes it may have bearings on. */
  Hypothesis[] value();

  /**
   * Signals without which the rule is skipped; the report names them as missing. Evidence for a
   * cause must use each of them.
   */
  Signal[] needs() default {};

  /**
   * Alternative signals: one of them suffices to support a cause, but not to contradict one. The
   * needed signals are still reported as missing.
   */
  Signal[] standIns() default {};
}
