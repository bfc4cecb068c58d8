/** The pages of the rules and root causes, which the build packs into the jar. */
package io.gcdiag.cli.manual;
