/** Two runs side by side: what changed, by how much, and whether by more than chance. */
package io.gcdiag.comparison;
