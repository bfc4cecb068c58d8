/** The catalogue of root causes, and what a rule says about one: findings and their bearing. */
package io.gcdiag.causes;
