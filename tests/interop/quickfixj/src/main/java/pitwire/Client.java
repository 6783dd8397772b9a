package pitwire;

import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import quickfix.Application;
import quickfix.DefaultMessageFactory;
import quickfix.FileLogFactory;
import quickfix.FileStoreFactory;
import quickfix.MemoryStoreFactory;
import quickfix.Message;
import quickfix.SLF4JLogFactory;
import quickfix.Session;
import quickfix.SessionID;
import quickfix.SessionSettings;
import quickfix.SocketInitiator;
import quickfix.field.MsgType;
import quickfix.field.Password;
import quickfix.field.Username;

/**
 * A QuickFIX/J initiator with one session, driven by lines (tests/interop/driver.ts holds the protocol).
 * In: "send 35=D|11=…|", "logout", "quit". Out: "on", "off", "app …|", "admin …|", "sent …|", "error …".
 * With a seventh argument, a folder, the session lasts: its store and the engine's log lie there, a Logon goes on with
 * the numbers of before, and what is sent while there is no connection is kept for the next.
 */
public final class Client implements Application {
    private static final String END = new String("end");
    /** Written by a thread of its own, so that many lines at a time cost one flush. */
    private static final BlockingQueue<String> LINES = new LinkedBlockingQueue<>();

    private final String username;
    private final String password;

    private Client(String username, String password) {
        this.username = username;
        this.password = password;
    }

    public static void main(String[] args) throws Exception {
        if (args.length < 6 || args.length > 7) {
            System.err.println("usage: Client HOST PORT SENDER TARGET USERNAME PASSWORD [FOLDER]");
            System.exit(2);
        }
        Thread writer = new Thread(Client::writeLines);
        writer.start();
        SessionID id = new SessionID("FIX.4.4", args[2], args[3]);
        SessionSettings settings = settings(id, args[0], args[1]);
        boolean lasting = args.length == 7;
        if (lasting) {
            settings.setString("FileStorePath", args[6]);
            settings.setString("FileLogPath", args[6]);
            settings.setString("FileIncludeTimeStampForMessages", "Y");
        }
        settings.setString("ResetOnLogon", lasting ? "N" : "Y");
        SocketInitiator initiator = new SocketInitiator(
            new Client(args[4], args[5]), lasting ? new FileStoreFactory(settings) : new MemoryStoreFactory(), settings,
            lasting ? new FileLogFactory(settings) : new SLF4JLogFactory(settings), new DefaultMessageFactory());
        initiator.start();
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null && !line.equals("quit"); line = lines.readLine()) {
            if (line.startsWith("send ")) {
                Session.sendToTarget(parse(line.substring(5)), id);
            } else if (line.equals("logout")) {
                Session.lookupSession(id).logout();
            } else {
                print("error unknown line: " + line);
            }
        }
        initiator.stop(true);
        LINES.add(END);
        writer.join();
    }

    private static SessionSettings settings(SessionID id, String host, String port) {
        SessionSettings settings = new SessionSettings();
        settings.setString("ConnectionType", "initiator");
        settings.setString("NonStopSession", "Y");
        settings.setString("HeartBtInt", "30");
        settings.setString("ReconnectInterval", "1");
        settings.setString("UseDataDictionary", "Y");
        settings.setString("DataDictionary", "FIX44.xml");
        settings.setString("ValidateUserDefinedFields", "Y");
        settings.setString("SocketConnectHost", host);
        settings.setString("SocketConnectPort", port);
        settings.setString(id, "BeginString", id.getBeginString());
        settings.setString(id, "SenderCompID", id.getSenderCompID());
        settings.setString(id, "TargetCompID", id.getTargetCompID());
        return settings;
    }

    private static Message parse(String text) {
        Message message = new Message();
        for (String field : text.split("\\|")) {
            int equals = field.indexOf('=');
            int tag = Integer.parseInt(field.substring(0, equals));
            String value = field.substring(equals + 1);
            if (tag == MsgType.FIELD) {
                message.getHeader().setString(tag, value);
            } else {
                message.setString(tag, value);
            }
        }
        return message;
    }

    private static void print(String line) {
        LINES.add(line.replace('\u0001', '|'));
    }

    private static void writeLines() {
        PrintStream out = new PrintStream(new BufferedOutputStream(System.out, 1 << 16));
        try {
            for (String line = LINES.take(); line != END; line = LINES.take()) {
                out.println(line);
                if (LINES.isEmpty()) {
                    out.flush();
                }
            }
        } catch (InterruptedException nobodyDoes) {
            Thread.currentThread().interrupt();
        }
        out.flush();
    }

    @Override
    public void onCreate(SessionID id) {}

    @Override
    public void onLogon(SessionID id) {
        print("on");
    }

    @Override
    public void onLogout(SessionID id) {
        print("off");
    }

    @Override
    public void toAdmin(Message message, SessionID id) {
        try {
            if (MsgType.LOGON.equals(message.getHeader().getString(MsgType.FIELD))) {
                message.setString(Username.FIELD, username);
                message.setString(Password.FIELD, password);
                return;
            }
        } catch (quickfix.FieldNotFound missing) {
            print("error " + missing.getMessage());
        }
        print("sent " + message);
    }

    @Override
    public void fromAdmin(Message message, SessionID id) {
        print("admin " + message);
    }

    @Override
    public void toApp(Message message, SessionID id) {
        print("sent " + message);
    }

    @Override
    public void fromApp(Message message, SessionID id) {
        // As it came: toString would put the fields in another order.
        print("app " + message.toRawString());
    }
}
