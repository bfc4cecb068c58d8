@echo off
rem Starts gcdiag. Builds it first if there is no jar yet; after an update of the sources it says so.
rem GCDIAG_JAVA_OPTS: more options for the JVM, such as -Xmx2g.
rem GCDIAG_DEBUG: a build that fails prints the whole output of Maven.
setlocal
set "HOME_DIR=%~dp0"
rem In a package the jar lies beside this file.
set "JAR=%HOME_DIR%lib\gcdiag.jar"
if not exist "%JAR%" set "JAR=%HOME_DIR%cli\target\gcdiag.jar"
set "LOG_DIR=%HOME_DIR%cli\target\launcher"
set "LOG=%LOG_DIR%\build.log"
set "JDK_JAVA_OPTIONS="
set "JAVA_TOOL_OPTIONS="
set "_JAVA_OPTIONS="
set "JAVA_EXE=java.exe"
set "JAVAC_EXE=javac.exe"
if defined JAVA_HOME set "JAVA_EXE=%JAVA_HOME%\bin\java.exe"
if defined JAVA_HOME set "JAVAC_EXE=%JAVA_HOME%\bin\javac.exe"
set "ADVICE=install a JDK, version 17 or later, or set JAVA_HOME to the folder of one"
rem A closing bracket in a path would end a block, so there are none; "set" resets the error level.
set "MESSAGE=JAVA_HOME is %JAVA_HOME%, where no bin\java.exe is; set it to the folder of a JDK, version 17 or later, or unset it"
if defined JAVA_HOME if not exist "%JAVA_EXE%" goto fail
rem The module of the JDK itself bears its version; Java 8 has no modules and refuses the option. Each
rem question starts a JVM, so that a Java of today is asked once.
rem From 19 on the JVM itself keeps an archive of the classes that it loaded, and makes it anew for
rem another jar or Java: a start takes half the CPU time. The path stands in quotes: names of users
rem have blanks and "&".
set "ARCHIVE="
"%JAVA_EXE%" --list-modules 2>nul | findstr /r /c:"^java.base@19" /c:"^java.base@[2-9][0-9]" >nul
if errorlevel 1 goto older
if defined LOCALAPPDATA set ARCHIVE=-XX:+AutoCreateSharedArchive "-XX:SharedArchiveFile=%LOCALAPPDATA%\gcdiag-classes.jsa" -Xlog:cds=off -Xlog:cds+dynamic=off
goto found

:older
set "MESSAGE=no Java of version 17 or later found; %ADVICE%"
"%JAVA_EXE%" --list-modules 2>nul | findstr /r /c:"^java.base@1[78]" >nul
if errorlevel 1 goto fail

:found
if not exist "%JAR%" call :build
if not exist "%JAR%" exit /b 1
rem Git writes a line there with each pull, checkout or commit.
set "HISTORY=%HOME_DIR%.git\logs\HEAD"
if exist "%LOG_DIR%\sources" if exist "%HISTORY%" fc /b "%HISTORY%" "%LOG_DIR%\sources" >nul 2>nul
if errorlevel 1 echo gcdiag: the sources were updated after the build; remove cli\target to build them 1>&2
rem A console with another code page than that of UTF-8 shows the lines of tables as garbage. Whether
rem output goes to one cannot be asked here: the JVM knows.
set "ASCII=true"
chcp 2>nul | findstr /c:"65001" >nul
if not errorlevel 1 set "ASCII=false"
rem Of terminals on Windows only this one is known to have colours.
if not defined WT_SESSION set "NO_COLOR=1"
if "%ASCII%"=="true" set "NO_COLOR=1"
rem The first two numbers are the lines and the columns of the console, in any language.
set "ROWS="
set "COLS="
for /f "tokens=2 delims=:" %%n in ('mode con 2^>nul') do call :size %%n
"%JAVA_EXE%" -Xms64m -Xmx512m -XX:MinHeapFreeRatio=20 -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:C1MaxInlineSize=25 -XX:-UsePerfData -Dsun.reflect.inflationThreshold=2147483647 -Djdk.reflect.useNativeAccessorOnly=true -Xshare:auto %ARCHIVE% "-Dgcdiag.out.ascii=%ASCII%" "-Dgcdiag.out.rows=%ROWS%" "-Dgcdiag.out.columns=%COLS%" %GCDIAG_JAVA_OPTS% -jar "%JAR%" %*
exit /b %ERRORLEVEL%

:size
if not defined ROWS (set "ROWS=%1") else if not defined COLS set "COLS=%1"
exit /b 0

:build
set "MESSAGE=%JAVA_EXE% has no compiler beside it, and gcdiag has to be built once; %ADVICE%"
"%JAVAC_EXE%" -version >nul 2>nul
if errorlevel 1 goto fail
if not exist "%LOG_DIR%" mkdir "%LOG_DIR%" 2>nul
set "MESSAGE=%LOG_DIR% cannot be written, and gcdiag has to be built there once; copy the folder %HOME_DIR% to a place of your own"
if not exist "%LOG_DIR%" goto fail
echo gcdiag: first call: building it once, about a minute, with network access for libraries 1>&2
call "%HOME_DIR%mvnw.cmd" -B -f "%HOME_DIR%pom.xml" -Dmaven.test.skip=true -Dspotless.check.skip=true -pl cli -am package >"%LOG%" 2>&1
if errorlevel 1 goto unbuilt
if exist "%HOME_DIR%.git\logs\HEAD" copy /y "%HOME_DIR%.git\logs\HEAD" "%LOG_DIR%\sources" >nul
exit /b 0

:unbuilt
if exist "%JAR%" del "%JAR%"
if defined GCDIAG_DEBUG type "%LOG%" 1>&2
set "MESSAGE=no disk space left for the build; free about 200 MB, then call gcdiag again; whole output: %LOG%"
findstr /i /c:"no space" /c:"not enough space" "%LOG%" >nul
if not errorlevel 1 goto fail
set "MESSAGE=the build cannot fetch Maven or libraries; call gcdiag again with network access, or name a proxy or mirror in .m2\settings.xml; whole output: %LOG%"
findstr /i /c:"could not transfer" /c:"unknown host" /c:"UnknownHostException" /c:"timed out" /c:"refused" "%LOG%" >nul
if not errorlevel 1 goto fail
set "MESSAGE=the build failed; whole output: %LOG%"

:fail
rem Expanded late a "&" in a path is a letter; with percent signs it would begin another command.
setlocal EnableDelayedExpansion
echo gcdiag: !MESSAGE! 1>&2
exit /b 1
