/** The catalogue of root causes, and the findings of rules with their bearing on causes. */
package io.gcdiag.causes;
