/** What readers of text share: lines of bounded length in any encoding, names, stamps. */
package io.gcdiag.ingest.text;
