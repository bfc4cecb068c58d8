/** Documents as text, one class per format. Nothing here knows what a report is about. */
package io.gcdiag.cli.render;
