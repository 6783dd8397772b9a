package pitwire;

import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import quickfix.Application;
import quickfix.DataDictionary;
import quickfix.DefaultMessageFactory;
import quickfix.Field;
import quickfix.FieldMap;
import quickfix.FileLogFactory;
import quickfix.FileStoreFactory;
import quickfix.Group;
import quickfix.MemoryStoreFactory;
import quickfix.Message;
import quickfix.SLF4JLogFactory;
import quickfix.Session;
import quickfix.SessionID;
import quickfix.SessionSettings;
import quickfix.SocketInitiator;
import quickfix.field.BodyLength;
import quickfix.field.MsgType;
import quickfix.field.Password;
import quickfix.field.Username;

/**
 * A QuickFIX/J initiator with one session, driven by lines (tests/interop/driver.ts holds the protocol).
 * In: "send 35=D|11=…|", "logout", "expect N", "quit". Out: "on", "off", "app …|", "groups …", "admin …|", "sent …|",
 * "error …". The dictionary, a file or one that QuickFIX/J brings, is for both ways: what it does not allow is not sent.
 * With an eighth argument, a folder, the session lasts: its store and the engine's log lie there, a Logon goes on with
 * the numbers of before, and what is sent while there is no connection is kept for the next.
 */
public final class Client implements Application {
    private static final String END = new String("end");
    /** Written by a thread of its own, so that many lines at a time cost one flush. */
    private static final BlockingQueue<String> LINES = new LinkedBlockingQueue<>();

    private final String username;
    private final String password;
    private final DataDictionary dictionary;

    private Client(String username, String password, DataDictionary dictionary) {
        this.username = username;
        this.password = password;
        this.dictionary = dictionary;
    }

    public static void main(String[] args) throws Exception {
        if (args.length < 7 || args.length > 8) {
            System.err.println("usage: Client HOST PORT SENDER TARGET USERNAME PASSWORD DICTIONARY [FOLDER]");
            System.exit(2);
        }
        Thread writer = new Thread(Client::writeLines);
        writer.start();
        SessionID id = new SessionID("FIX.4.4", args[2], args[3]);
        SessionSettings settings = settings(id, args[0], args[1], args[6]);
        boolean lasting = args.length == 8;
        if (lasting) {
            settings.setString("FileStorePath", args[7]);
            settings.setString("FileLogPath", args[7]);
            settings.setString("FileIncludeTimeStampForMessages", "Y");
        }
        settings.setString("ResetOnLogon", lasting ? "N" : "Y");
        DataDictionary dictionary = new DataDictionary(args[6]);
        dictionary.setCheckUserDefinedFields(true);
        Client client = new Client(args[4], args[5], dictionary);
        SocketInitiator initiator = new SocketInitiator(
            client, lasting ? new FileStoreFactory(settings) : new MemoryStoreFactory(), settings,
            lasting ? new FileLogFactory(settings) : new SLF4JLogFactory(settings), new DefaultMessageFactory());
        initiator.start();
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null && !line.equals("quit"); line = lines.readLine()) {
            if (line.startsWith("send ")) {
                client.send(line.substring(5), id);
            } else if (line.equals("logout")) {
                Session.lookupSession(id).logout();
            } else if (line.startsWith("expect ")) {
                Session.lookupSession(id).setNextTargetMsgSeqNum(Integer.parseInt(line.substring(7)));
            } else {
                print("error unknown line: " + line);
            }
        }
        initiator.stop(true);
        LINES.add(END);
        writer.join();
    }

    private static SessionSettings settings(SessionID id, String host, String port, String dictionary) {
        SessionSettings settings = new SessionSettings();
        settings.setString("ConnectionType", "initiator");
        settings.setString("NonStopSession", "Y");
        settings.setString("HeartBtInt", "30");
        settings.setString("ReconnectInterval", "1");
        settings.setString("UseDataDictionary", "Y");
        settings.setString("DataDictionary", dictionary);
        settings.setString("ValidateUserDefinedFields", "Y");
        settings.setString("SocketConnectHost", host);
        settings.setString("SocketConnectPort", port);
        settings.setString(id, "BeginString", id.getBeginString());
        settings.setString(id, "SenderCompID", id.getSenderCompID());
        settings.setString(id, "TargetCompID", id.getTargetCompID());
        return settings;
    }

    /** Sends a message unless the dictionary refuses it. */
    private void send(String text, SessionID id) {
        try {
            Message message = new Message();
            message.fromString("8=FIX.4.4\u00019=0\u0001" + text.replace('|', '\u0001') + "10=000\u0001", dictionary, false);
            dictionary.validate(message, true);
            message.getHeader().removeField(BodyLength.FIELD);
            message.getTrailer().clear();
            Session.sendToTarget(message, id);
        } catch (Exception refused) {
            print("error " + refused.getMessage() + ": " + text);
        }
    }

    /** "146=2[55=A|561=1][55=B|561=1]": the groups of a message and those within, as the engine took them apart. */
    private static String groupsOf(FieldMap fields) {
        List<String> texts = new ArrayList<>();
        for (Iterator<Integer> counts = fields.groupKeyIterator(); counts.hasNext();) {
            int count = counts.next();
            List<Group> groups = fields.getGroups(count);
            StringBuilder text = new StringBuilder(count + "=" + groups.size());
            for (Group group : groups) {
                text.append('[').append(membersOf(group)).append(']');
            }
            texts.add(text.toString());
        }
        return String.join("|", texts);
    }

    private static String membersOf(Group group) {
        List<String> members = new ArrayList<>();
        for (Iterator<Field<?>> fields = group.iterator(); fields.hasNext();) {
            Field<?> field = fields.next();
            if (!group.hasGroup(field.getTag())) {
                members.add(field.getTag() + "=" + field.getObject());
            }
        }
        String groups = groupsOf(group);
        if (!groups.isEmpty()) {
            members.add(groups);
        }
        return String.join("|", members);
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
        String groups = groupsOf(message);
        if (!groups.isEmpty()) {
            print("groups " + groups);
        }
    }
}
